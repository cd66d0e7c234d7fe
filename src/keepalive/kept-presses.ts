import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Link } from './link-token.ts';
import { byTime, type Press } from './press.ts';

/** Presses that git does not have yet: a file for each, on disk before anybody is told so. */
export interface KeptPresses {
  /** In the order they came. */
  list(): readonly Press[];
  find(id: string): Press | undefined;
  /** Over when the press survives a crash and a loss of power. Pressed again, the first one counts. */
  keep(press: Press): Promise<void>;
  /** Git has it, or never will. */
  forget(id: string): Promise<void>;
}

export function pressId({ claim, identity, deadline, issuedAt, owner }: Link): string {
  const text = JSON.stringify([claim, identity, deadline, issuedAt, owner ?? '']);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** `onDamaged` hears of files that are no presses; they are set aside, for somebody to look at. */
export function openKeptPresses(folder: string, onDamaged: (file: string) => void): KeptPresses {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const presses = new Map(readAll(folder, onDamaged).map((press) => [press.id, press]));
  const underWay = new Map<string, Promise<void>>();
  const store = async (press: Press): Promise<void> => {
    await writeDurably(folder, `${press.id}.json`, JSON.stringify(press));
    presses.set(press.id, press);
  };
  return {
    list: () => [...presses.values()],
    find: (id) => presses.get(id),
    keep: async (press) => {
      if (presses.has(press.id)) return;
      const stored = underWay.get(press.id) ?? store(press).finally(() => underWay.delete(press.id));
      underWay.set(press.id, stored);
      await stored;
    },
    forget: async (id) => {
      presses.delete(id);
      await rm(join(folder, `${id}.json`), { force: true });
    },
  };
}

function readAll(folder: string, onDamaged: (file: string) => void): Press[] {
  const presses: Press[] = [];
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    // Half of one: nobody has been told that it is kept.
    if (name.endsWith('.part')) rmSync(file, { force: true });
    if (!name.endsWith('.json')) continue;
    const press = pressIn(readFileSync(file, 'utf8'));
    if (press?.id === name.slice(0, -5)) presses.push(press);
    else {
      renameSync(file, `${file}.damaged`);
      onDamaged(`${file}.damaged`);
    }
  }
  return presses.sort(byTime);
}

function pressIn(text: string): Press | undefined {
  try {
    const press = JSON.parse(text) as Press;
    return typeof press.at === 'number' && press.id === pressId(press.link) ? press : undefined;
  } catch {
    return undefined;
  }
}

/** The file and its name: a rename that only the cache knows of is lost with the power. */
async function writeDurably(folder: string, name: string, text: string): Promise<void> {
  const part = join(folder, `${name}.part`);
  try {
    const file = await open(part, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, join(folder, name));
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
