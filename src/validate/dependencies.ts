/** Names and the names each of them waits for; names that are not keys are ignored. */
export type Dependencies = ReadonlyMap<string, readonly string[]>;

/**
 * The length of the longest chain below each name: 0 for what waits for nothing. Names on a cycle, or waiting for one,
 * are left out. No recursion: a chain may be as long as a file.
 */
export function depths(dependencies: Dependencies): ReadonlyMap<string, number> {
  const waiting = new Map<string, number>();
  const dependants = new Map<string, string[]>();
  for (const [name, needs] of dependencies) {
    const known = new Set(needs.filter((need) => dependencies.has(need)));
    waiting.set(name, known.size);
    for (const need of known) dependants.set(need, [...(dependants.get(need) ?? []), name]);
  }
  const depth = new Map<string, number>();
  const ready = [...waiting].filter(([, count]) => count === 0).map(([name]) => name);
  for (const name of ready) depth.set(name, 0);
  for (let name = ready.pop(); name !== undefined; name = ready.pop()) {
    for (const dependant of dependants.get(name) ?? []) {
      const left = (waiting.get(dependant) ?? 0) - 1;
      waiting.set(dependant, left);
      depth.set(dependant, Math.max(depth.get(dependant) ?? 0, (depth.get(name) ?? 0) + 1));
      if (left === 0) ready.push(dependant);
    }
  }
  return new Map([...depth].filter(([name]) => waiting.get(name) === 0));
}

/** Every group of names that wait for each other, as one way round: `[a, b, c]` when a needs b, b needs c, c needs a. */
export function cycles(dependencies: Dependencies): readonly (readonly string[])[] {
  const found: string[][] = [];
  let rest = dependencies;
  for (;;) {
    const done = depths(rest);
    const stuck = new Map([...rest].filter(([name]) => !done.has(name)));
    const [start] = stuck.keys();
    if (start === undefined) return found;
    const cycle = walk(stuck, start);
    found.push(cycle);
    rest = new Map([...stuck].filter(([name]) => !cycle.includes(name)));
  }
}

/** Follows one unfinished dependency after another until a name comes up again; begins with the first in the file. */
function walk(stuck: Dependencies, start: string): string[] {
  const path: string[] = [];
  let name = start;
  while (!path.includes(name)) {
    path.push(name);
    name = stuck.get(name)?.find((need) => stuck.has(need)) ?? name;
  }
  return path.slice(path.indexOf(name));
}
