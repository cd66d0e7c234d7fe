import { setTimeout as sleep } from 'node:timers/promises';
import { sidecarUser } from './audit.ts';
import type { Lab, Sidecar } from './lab.ts';

interface Course {
  /** So often at most: in the end it has to live, since a namespace is looked into twice before it goes. */
  readonly kills: number;
  /** For all of it. */
  readonly seconds: number;
  isOver(): Promise<boolean>;
}

/** Kills it after each act that the API server has seen, and starts it again, until it is over. Gives how often. */
export async function killedAfterEachAct(
  { audit }: Pick<Lab, 'audit'>,
  { program }: Sidecar,
  { kills: most, seconds, isOver }: Course,
): Promise<number> {
  const acts = () =>
    audit().filter(
      ({ user, verb, resource }) => user === sidecarUser && changing.includes(verb) && !bookkeeping.includes(resource),
    ).length;
  const limit = Date.now() + seconds * 1000;
  let [known, kills] = [acts(), 0];
  while (!(await isOver())) {
    if (Date.now() > limit) throw new Error(`not over after ${seconds} s and ${kills} kills`);
    const count = acts();
    if (count > known && kills < most) {
      await program.kill();
      program.start();
      [known, kills] = [count, kills + 1];
    }
    await sleep(5);
  }
  return kills;
}

const changing = ['create', 'update', 'patch', 'delete'];
const bookkeeping = ['leases', 'events'];
