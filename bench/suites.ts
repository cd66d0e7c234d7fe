import type { Figure } from './figures.ts';

/** What a suite measures on. */
export interface Bench {
  /** Scratch folder. */
  readonly base: string;
  /** The project, built. */
  readonly root: string;
  /** Size of the large instance. */
  readonly claims: number;
  /** Nodes of the large cluster. */
  readonly nodes: number;
}

export interface Suite {
  readonly name: string;
  /** One line for the help. */
  readonly about: string;
  /** Each figure as soon as it is known. What a suite needs and does not find is said, and left out. */
  readonly figures: (bench: Bench) => AsyncIterable<Figure>;
}

/** In the order in which they are run. Each loads what it needs when its turn comes. */
export const suites: readonly Suite[] = [
  {
    name: 'compiler',
    about: 'compile times against helm template and plain cdk8s (QUIESCE_HELM names helm)',
    figures: async function* (bench) {
      yield* (await import('./compiler.ts')).compilerFigures(bench);
    },
  },
  {
    name: 'plan',
    about: 'what a pull request has to wait for: plans of one change and of many, and their reports',
    figures: async function* (bench) {
      yield* (await import('./plan.ts')).planFigures(bench);
    },
  },
  {
    name: 'rehearse',
    about: 'a change rehearsed on a snapshot of a large cluster (--nodes)',
    figures: async function* (bench) {
      yield* (await import('./rehearse.ts')).rehearseFigures(bench);
    },
  },
  {
    name: 'lifecycle',
    about: 'runs of the lifecycle runner, with nothing due and with much',
    figures: async function* (bench) {
      yield* (await import('./lifecycle.ts')).lifecycleFigures(bench);
    },
  },
  {
    name: 'keepalive',
    about: 'the keep-alive page: start, memory, pages a second, and a burst of renewals',
    figures: async function* (bench) {
      yield* (await import('./keepalive.ts')).keepaliveFigures(bench);
    },
  },
  {
    name: 'decide',
    about: 'what a pass of the sidecar costs, of ever more nodes: the deciders alone, without a cluster',
    figures: async function* () {
      yield* (await import('./decide.ts')).decideFigures();
    },
  },
  {
    name: 'drain',
    about: 'maintenance against kubectl drain, on the real control plane (npm run controlplane builds it)',
    figures: async function* () {
      yield* (await import('./drain.ts')).drainFigures();
    },
  },
  {
    name: 'drain-many',
    about: 'the same of many nodes at once (--nodes)',
    figures: async function* (bench) {
      yield* (await import('./drain-many.ts')).manyNodesFigures(bench);
    },
  },
  {
    name: 'uninstall',
    about: 'an installation of 200 objects against kubectl delete and helm uninstall, on the same control plane',
    figures: async function* () {
      yield* (await import('./uninstall.ts')).uninstallFigures();
    },
  },
  {
    name: 'uninstall-chain',
    about: 'the same with each of its components needing the one before',
    figures: async function* () {
      yield* (await import('./uninstall.ts')).chainFigures();
    },
  },
  {
    name: 'uninstall-claims',
    about: 'a hundred claims at once against the same',
    figures: async function* (bench) {
      yield* (await import('./uninstall-claims.ts')).claimFigures(bench);
    },
  },
  {
    name: 'claims-at-rest',
    about: 'what a thousand claims cost of which nothing is wanted',
    figures: async function* (bench) {
      yield* (await import('./uninstall-claims.ts')).idleFigures(bench);
    },
  },
];
