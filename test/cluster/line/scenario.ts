import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { KubeObject, ObjectId } from '../../support/objects.ts';
import type { TempRepo } from '../../support/temp-repo.ts';
import type { Applier, SettleOptions } from './applier.ts';
import type { Edits } from './campus.ts';
import { leaveMarks, type Marks, syncTenantObjects } from './marks.ts';
import { lostIn } from './snapshot.ts';
import { changes, hostNames, type Picture, type World } from './world.ts';

export interface Line {
  readonly world: World;
  readonly applier: Applier;
  /** What is in the repository when the applier hears of it first. */
  readonly commit: string;
}

/** What a change of the state came to: in `out/`, and on the API servers. */
export interface Step {
  readonly files: readonly string[];
  readonly objects: readonly string[];
}

/** One line through all steps of a test file, one after the other, with everything that has to hold at the end of each. */
export interface Scenario {
  line(): Line;
  /** From now on: foreign marks stay, and nothing that holds data goes or is replaced, tenants' own included. */
  watch(): Promise<void>;
  /** These may go. */
  letGo(isOne: Leaving): void;
  step(edits: Edits, options?: SettleOptions): Promise<Step>;
  /** A change past the compiler; the objects that changed. */
  mistake(change: (repo: TempRepo) => Promise<unknown>, options?: SettleOptions): Promise<readonly string[]>;
}

type Leaving = (object: KubeObject) => boolean;

export const minutes = (count: number): number => count * 60_000;

export function scenario(open: () => Promise<Line>): Scenario {
  let line: Line | undefined;
  let marks: Marks | undefined;
  let holding: Picture | undefined;
  const going: Leaving[] = [];
  const opened = (): Line => {
    if (line === undefined) throw new Error('the line is not open yet');
    return line;
  };

  beforeAll(async () => {
    line = await open();
  }, minutes(5));

  afterAll(() => line?.world.stop());

  afterEach(async () => {
    if (marks === undefined || holding === undefined) return;
    const now = await opened().world.snapshot();
    expect(lost(holding, now)).toEqual([]);
    expect(await marks.missing()).toEqual([]);
    holding = without(merged(holding, now), going);
  });

  const observe = async (act: () => Promise<readonly string[]>): Promise<Step> => {
    const before = await opened().world.snapshot();
    const files = await act();
    return { files, objects: changes(before, await opened().world.snapshot()) };
  };
  return {
    line: opened,
    watch: async () => {
      const { hosts } = opened().world;
      marks = await leaveMarks(hosts);
      await syncTenantObjects(hosts);
      holding = await opened().world.snapshot();
    },
    letGo: (isOne) => {
      going.push(isOne);
      if (holding !== undefined) holding = without(holding, going);
    },
    step: (edits, options) =>
      observe(async () => {
        const { commit, files } = await opened().world.campus.push(edits);
        await opened().applier.settle(commit, options);
        return files;
      }),
    mistake: async (change, options) => {
      const { objects } = await observe(async () => {
        const commit = await opened().world.campus.pushByHand(change);
        await opened().applier.settle(commit, options);
        return [];
      });
      return objects;
    },
  };
}

function lost(before: Picture, now: Picture): readonly string[] {
  return hostNames.flatMap((name) => lostIn(before[name], now[name]).map((line) => `${name}: ${line}`));
}

function merged(before: Picture, now: Picture): Picture {
  const both = (name: keyof Picture) => new Map([...before[name], ...now[name]]);
  return { atlas: both('atlas'), borealis: both('borealis') };
}

function without(picture: Picture, going: readonly Leaving[]): Picture {
  const left = (name: keyof Picture) =>
    new Map([...picture[name]].filter(([, object]) => !going.some((isOne) => isOne(object))));
  return { atlas: left('atlas'), borealis: left('borealis') };
}

/** Its resource. */
export function resourceOf(claim: string): (object: ObjectId) => boolean {
  return ({ kind, metadata: { name } }) => kind === 'VClusterClaim' && name === claim;
}

/** Its resource, its namespace, and all that is in that. */
export function everythingOf(claim: string): (object: ObjectId) => boolean {
  const isIts = resourceOf(claim);
  return (object) => isIts(object) || [object.metadata.name, object.metadata.namespace].includes(`vcluster-${claim}`);
}
