import type { Playground } from './start.ts';

interface Marks {
  bold(text: string): string;
  dim(text: string): string;
}

/** Where everything is, and what to try: each a block of commands to be pasted into another terminal. */
export function guide({ cluster, repository, clone, shellFile }: Playground, { bold, dim }: Marks): string {
  const tries = things.flatMap(({ title, commands, look }, index) => [
    `  ${bold(`${index + 1}. ${title}`)}`,
    ...commands.map((command) => `     ${command}`),
    `     ${dim(look)}`,
    '',
  ]);
  return [
    '',
    `  kubeconfig      ${cluster.kubeconfig}`,
    `  repository      ${repository.url}`,
    `  your clone      ${clone}`,
    '',
    'In a second terminal, first:',
    '',
    `     . ${shellFile}`,
    '',
    'That puts quiesce and kubectl on the PATH and goes to your clone. Then try:',
    '',
    ...tries,
    'What follows from each push is told here. Ctrl-C ends the playground and removes everything.',
    '',
  ].join('\n');
}

interface Thing {
  readonly title: string;
  readonly commands: readonly string[];
  /** Where to look, and how it is taken back. */
  readonly look: string;
}

const maintained = '10.20.1.103';

const things: readonly Thing[] = [
  {
    title: 'Put a claim to sleep',
    commands: [
      'git pull -q && quiesce sleep registrar-portal',
      "git commit -qam 'Sleep registrar-portal' && git push -q",
    ],
    look: 'kubectl get statefulsets,pods -n vcluster-registrar-portal   (to wake it, the same with "quiesce wake")',
  },
  {
    title: 'Take a node out of service',
    commands: [
      `git pull -q && perl -pi -e 's/- 10.20.1.104$/- ${maintained}-10.20.1.104/' state/clusters/atlas-metal.yaml`,
      `git commit -qam 'Take ${maintained} out of service' && git push -q`,
    ],
    look: 'kubectl get maintenanceblocks,nodes   (to end it: git pull -q && git revert --no-edit ":/Take" && git push -q)',
  },
  {
    title: 'Order a deletion',
    commands: [
      'git pull -q && quiesce delete thesis-edge-caching --yes',
      "git commit -qam 'Delete thesis-edge-caching' && git push -q",
    ],
    look: 'kubectl get vclusterclaims; kubectl get all,pvc -n vcluster-thesis-edge-caching',
  },
];
