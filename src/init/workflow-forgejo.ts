import { version } from '../version.ts';
import { indented, planCommentScript, snapshotStep } from './plan-comment.ts';

export function forgejoPlan(): string {
  return `# On a pull request: does the state compile, what will the change do, and is everything approved that the policy wants
# approved? The answer is one comment, kept up to date, with the whole report as an artifact.
name: Quiesce plan
on:
  pull_request:
    types: [opened, synchronize, reopened, labeled, unlabeled]
    paths: ['state/**']
jobs:
  plan:
    runs-on: docker
    container:
      image: node:22-bookworm
    env:
      QUIESCE: quiesce@${version}
      # Those that begin with quiesce-approve/ approve what a rule of the policy asks for.
      QUIESCE_LABELS: \${{ join(github.event.pull_request.labels.*.name, ',') }}
      RUN: \${{ github.server_url }}/\${{ github.repository }}/actions/runs/\${{ github.run_number }}
    steps:
      # The pull request merged; the branch that it is merged into is HEAD^1. All commits, since their trailers may approve.
      - uses: actions/checkout@v4
        with:
          ref: refs/pull/\${{ github.event.pull_request.number }}/merge
          fetch-depth: 0
${snapshotStep(6)}
      - name: Plan
        run: |
          npx --yes "$QUIESCE" plan --from HEAD^1 --to HEAD --objects --report-url "$RUN" \\
            --report plan.html --report plan.md --report status=plan.status $SNAPSHOTS
      - name: Keep the report
        if: \${{ !cancelled() }}
        # Forgejo knows this version of artifacts only.
        uses: actions/upload-artifact@v3
        with:
          name: quiesce-plan
          path: plan.html
      - name: Comment
        # Where the state does not compile, the comment says that.
        if: \${{ !cancelled() }}
        env:
          LIST: \${{ github.api_url }}/repos/\${{ github.repository }}/issues/\${{ github.event.pull_request.number }}/comments
          EDIT: \${{ github.api_url }}/repos/\${{ github.repository }}/issues/comments
          METHOD: PATCH
          STATUS: \${{ github.api_url }}/repos/\${{ github.repository }}/statuses/\${{ github.event.pull_request.head.sha }}
          AUTH: 'authorization: token \${{ github.token }}'
        run: |
          cat > comment.cjs << 'SCRIPT'
${indented(planCommentScript, 10)}
          SCRIPT
          node comment.cjs
      - name: Compile
        run: npx --yes "$QUIESCE" synth --dry-run
      - name: Approvals
        run: npx --yes "$QUIESCE" validate --policy --from HEAD^1 $SNAPSHOTS
`;
}

export function forgejoCommit(branch: string): string {
  return `# After the merge: compile, and commit out/ where its bytes changed.
name: Quiesce commit
on:
  push:
    branches: ['${branch}']
    paths: ['state/**']
  workflow_dispatch:
jobs:
  commit:
    runs-on: docker
    container:
      image: node:22-bookworm
    steps:
      - uses: actions/checkout@v4
        with:
          ref: '${branch}'
      # On a protected branch, set git.target.push to branch in the settings and merge what it pushes.
      - run: npx --yes quiesce@${version} commit
`;
}
