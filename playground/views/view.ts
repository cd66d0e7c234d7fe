import type { Access } from '../../test/support/access.ts';
import type { Line } from '../line.ts';

/** One kind of thing that is followed: how it is now, by name, and what is said about a change of it. */
export interface View<T> {
  read(access: Access): Promise<ReadonlyMap<string, T>>;
  /** Absent before: it is new. Absent after: it is gone. */
  tell(name: string, before: T | undefined, after: T | undefined): readonly Line[];
}

/** What is said about all differences between two looks. */
export function tellAll<T>(
  view: View<T>,
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): readonly Line[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name) => view.tell(name, before.get(name), after.get(name)));
}
