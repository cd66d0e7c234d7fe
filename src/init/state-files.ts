import { version } from '../version.ts';
import type { Repository } from './forge.ts';

/** Both forms of the comment by which editors find the schema: the YAML language server's and JetBrains'. */
export function schemaComment(path: string): string {
  return `# yaml-language-server: $schema=${path}\n# $schema: ${path}\n`;
}

/** Settings with which everything compiles at once; what has to be changed before anything is applied says so. */
export function settingsText({ url, branch }: Repository): string {
  return `# What holds for the whole instance. Every key is explained in the schema: editors show it.
apiVersion: quiesce.dev/v1alpha1
kind: Settings
metadata:
  # Prefix of the objects that Argo CD or Flux gets.
  name: quiesce
spec:
  # Every cluster that hosts virtual clusters: its applier applies out/<name>/ to it.
  clusters:
    - name: main
      # CHANGE: the API server as the applier reaches it; this one is the cluster that the applier itself runs in.
      server: https://kubernetes.default.svc
      # argocd or flux
      applier: argocd

  # Claims are served as <claim>.<this domain>, if they run a Service "http" in their namespace "default".
  # exposedAppsBaseDomain: apps.example.com

  # What claims get that they do not ask for.
  claims:
    # vCluster version. Pinned, so that upgrading Quiesce upgrades no claim.
    version: 0.30.1

  # A claim sleeps this long after its last renewal, and is deleted this long after that. Its owner is warned before
  # each of the two, and without a delivered warning nothing is deleted.
  expiry:
    after: 90d
    grace: 60d

  # How owners are warned. Without it nothing ever expires.
  # mail:
  #   from: platform@example.com
  #   host: smtp.example.com

  # What somebody has to approve before it is merged, with a trailer of a commit or a label of the pull request.
  # policy:
  #   rules:
  #     - name: data-loss
  #       dangers: [data-lost, volume-shrunk]
  #     - name: drains
  #       dangers: [never-drains, nowhere-to-go]

  git:
    # ${url === undefined ? 'CHANGE: this' : 'This'} repository, as the applier and the lifecycle runner reach it.
    url: ${url ?? 'https://git.example.com/platform/quiesce.git'}
    branch: ${branch}
    # Author of the commits that Quiesce makes.
    author:
      name: Quiesce
      email: quiesce@example.com

  # Image with the programs that run in the clusters.
  images:
    # CHANGE: the image that you built or mirrored.
    quiesce: registry.example.com/quiesce:${version}
`;
}

export const exampleClaim = `# One virtual cluster. Its name is that of the file.
apiVersion: quiesce.dev/v1alpha1
kind: VClusterClaim
metadata:
  name: hello
spec:
  # Who is warned before it sleeps or is deleted, and may renew it.
  owner:
    name: Ada Example
    email: ada@example.com
  # Running, Sleeping or Deleted. "quiesce sleep hello", "quiesce wake hello" and "quiesce delete hello" edit this word.
  # Removing the file is not the order to delete.
  state: Running
`;

export const gitignore = `# Quiesce's own notes on this machine.
.quiesce/
`;

export const cdk8sConfig = `# Lets "cdk8s synth" do what "quiesce synth" does: npm install --save-dev quiesce cdk8s-cli
language: typescript
app: node node_modules/quiesce/dist/cli/synth.js
# cdk8s empties its output folder before it runs the app: a scratch one, which receives the same files as out/.
output: .quiesce/cdk8s
`;

export const readme = `# Desired state

People edit \`state/\` in pull requests. [Quiesce](https://www.npmjs.com/package/quiesce) compiles it to plain manifests in
\`out/\`, which Argo CD or Flux applies. \`out/\` is generated: never edit it by hand.

| what | how |
| --- | --- |
| ask for a virtual cluster | copy \`state/claims/hello.yaml\`, name it after the cluster |
| put it to sleep, wake it | \`npx quiesce sleep NAME\`, \`npx quiesce wake NAME\` |
| delete it with its data | \`npx quiesce delete NAME\` (removing the file is not the order to delete) |
| see every mistake at once | \`npx quiesce validate\` |
| see what a change will do | \`npx quiesce plan\` |
| compile | \`npx quiesce synth\` |

On a pull request, CI compiles the state and comments with the plan. On the main branch it runs \`quiesce commit\`, which
commits \`out/\` if it changed.

Before the first apply, change what is marked CHANGE in \`state/settings.yaml\`, run \`npx quiesce synth\`, commit \`out/\`, and apply
\`out/main/bootstrap/\` once by hand: from then on the applier follows this repository.
`;
