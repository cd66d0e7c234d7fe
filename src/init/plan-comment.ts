import { planMarker } from '../report/plan-markdown.ts';

/**
 * For forges without a command-line client at hand in CI: Node looks for the comment that begins with the marker, and
 * updates or makes it. The environment gives LIST (where comments are listed and made), EDIT (where one is changed, by
 * its id), METHOD to change it, and AUTH (a header, \`name: value\`); with STATUS (where the status of a commit is set)
 * and RUN (the address of this run) the line of plan.status becomes one.
 */
export const planCommentScript = `const { readFileSync } = require('node:fs');
const { LIST, EDIT, METHOD, AUTH, STATUS, RUN } = process.env;
const [name, ...value] = AUTH.split(': ');
const headers = { [name]: value.join(': '), 'content-type': 'application/json' };
const call = async (url, options) => {
  const response = await fetch(url, { headers, ...options });
  if (!response.ok) throw new Error(url + ' answered ' + response.status);
  return response.json();
};
(async () => {
  let found;
  for (let page = 1; found === undefined; page += 1) {
    const comments = await call(LIST + '?per_page=50&limit=50&page=' + page);
    found = comments.find(({ body }) => body.startsWith('${planMarker}'));
    if (comments.length < 50) break;
  }
  const body = JSON.stringify({ body: readFileSync('plan.md', 'utf8') });
  await (found ? call(EDIT + '/' + found.id, { method: METHOD, body }) : call(LIST, { method: 'POST', body }));
  if (!STATUS) return;
  const description = readFileSync('plan.status', 'utf8').trim();
  const status = JSON.stringify({ state: 'success', context: 'quiesce/plan', description, target_url: RUN });
  // GitLab refuses the status that is there already; the comment says it all.
  await call(STATUS, { method: 'POST', body: status }).catch((error) => console.log(String(error)));
})();
`;

/** The script as a block of a YAML file. */
export function indented(script: string, columns: number): string {
  return script.replaceAll(/^(?=.)/gm, ' '.repeat(columns)).trimEnd();
}

/**
 * A step that is commented out, `columns` to the right: with it the plan is rehearsed on the cluster. It needs a secret,
 * so it is for each instance to decide.
 */
export function snapshotStep(columns: number): string {
  return snapshotLines.map((line) => `${' '.repeat(columns)}# ${line}`).join('\n');
}

const snapshotLines = [
  'To have the change rehearsed on the cluster: a kubeconfig that may read and nothing else, in a secret. What it has to',
  'be allowed to, "quiesce snapshot --rbac" prints. Pull requests of forks have no secrets: their plan goes without.',
  'Whoever may push a branch here can read the secret; where that is too many, take the snapshot in a workflow of the',
  'main branch on a schedule, keep it as an artifact, and fetch it here. Once for each host cluster.',
  '- name: Snapshot',
  '  env:',
  `    CONFIG: \${{ secrets.QUIESCE_SNAPSHOT_KUBECONFIG }}`,
  '  run: |',
  '    if [ -z "$CONFIG" ]; then exit 0; fi',
  '    printf "%s" "$CONFIG" > ../kubeconfig',
  '    npx --yes "$QUIESCE" snapshot --kubeconfig ../kubeconfig --cluster main -o ../main.snapshot.gz',
  '    rm ../kubeconfig',
  '    echo "SNAPSHOTS=--snapshot ../main.snapshot.gz --at $(date -u +%FT%TZ)" >> "$GITHUB_ENV"',
];
