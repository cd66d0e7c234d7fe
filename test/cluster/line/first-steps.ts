import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nameOf, read } from '../../support/objects.ts';
import { appliedIn, lost } from './rendered.ts';
import { minutes, type Scenario } from './scenario.ts';
import { writesBetween } from './snapshot.ts';
import { changes, hostNames } from './world.ts';

/** How the shipped state gets there in the first place. */
export function comesUp({ line, watch }: Scenario): void {
  it(
    'everything of the shipped state is accepted, field by field, and comes up',
    async () => {
      const { world, applier, commit } = line();
      await applier.bootstrap();
      await applier.settle(commit);
      for (const name of hostNames) {
        for (const object of appliedIn(join(world.out, name))) {
          expect(lost(object, await read(world.hosts[name].access, object), nameOf(object))).toEqual([]);
        }
      }
      await watch();
    },
    minutes(6),
  );
}

export function settlesDown({ line, mistake }: Scenario): void {
  it(
    'a second look writes nothing',
    async () => {
      const { world } = line();
      const before = await world.snapshot();
      await mistake(async (repo) => repo.write('README.md', 'Not for the applier\n'), { everything: true });
      expect(changes(before, await world.snapshot(), writesBetween)).toEqual([]);
    },
    minutes(5),
  );
}
