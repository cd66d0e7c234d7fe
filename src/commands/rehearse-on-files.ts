import { resolve } from 'node:path';
import type { Sides } from '../compare.ts';
import type { Instant } from '../instant.ts';
import type { Problems } from '../located.ts';
import { compareText } from '../plan/change.ts';
import type { Rehearsal } from '../rehearsal/rehearsal.ts';
import { rehearseBetween } from '../rehearse.ts';
import { readSnapshotFile } from './snapshot-file.ts';

interface OnFilesOptions {
  readonly directory: string;
  readonly from: string;
  readonly to: string;
  readonly at?: Instant;
}

type Refused = Problems & { readonly at: string };

/** The step from one state to the other on each of the snapshots, by cluster. */
export async function rehearseOnFiles(
  sides: Sides,
  files: readonly string[],
  { directory, ...options }: OnFilesOptions,
): Promise<readonly Rehearsal[] | Refused> {
  const rehearsals = new Map<string, Rehearsal>();
  for (const each of files) {
    const { file, cluster } = namedFile(each);
    const read = readSnapshotFile(resolve(directory, file));
    if (read.kind === 'refused') return refused(file, read.why, read.remedy);
    const named = cluster === undefined ? {} : { cluster };
    const answer = await rehearseBetween(sides, { ...options, ...named, snapshot: read.snapshot });
    if (answer.kind === 'problems') return answer;
    if (answer.kind === 'unknown-cluster') {
      const why = `It is of a cluster "${answer.cluster}", which the settings do not have.`;
      return refused(
        file,
        why,
        `Say which of these it is, as in ${answer.clusters[0]}=${file}: ${answer.clusters.join(', ')}.`,
      );
    }
    const { name } = answer.rehearsal.cluster;
    if (rehearsals.has(name))
      return refused(file, `There is another snapshot of cluster "${name}".`, 'Name one for each.');
    rehearsals.set(name, answer.rehearsal);
  }
  return [...rehearsals.values()].sort((a, b) => compareText(a.cluster.name, b.cluster.name));
}

/** `atlas=FILE`, or a file that says itself of which cluster it is. */
function namedFile(text: string): { readonly file: string; readonly cluster?: string } {
  const [, cluster, file] = /^([a-z0-9](?:[-a-z0-9]*[a-z0-9])?)=(.+)$/.exec(text) ?? [];
  return cluster === undefined || file === undefined ? { file: text } : { file, cluster };
}

function refused(file: string, why: string, remedy: string): Refused {
  const problem = { code: 'snapshot-refused', severity: 'error', remedy, related: [] } as const;
  return { kind: 'problems', problems: [{ ...problem, message: `Snapshot ${file}: ${why}` }], at: file };
}
