import { createHash } from 'node:crypto';
import { findLeftovers } from '../sidecar/leftovers/find.ts';
import type { Leftover, LeftoverCode } from '../sidecar/leftovers/observation.ts';
import { readLeftovers } from '../sidecar/leftovers/read.ts';
import { ago, type TextOptions } from '../sidecar/status-lines.ts';
import { type ClusterOptions, connectCluster } from './cluster-connection.ts';
import type { Context, Status } from './context.ts';

export interface LeftoversOptions extends ClusterOptions {
  /** Host cluster: the context of that name. */
  readonly cluster?: string;
  readonly json?: boolean;
}

/** `quiesce leftovers` */
export async function leftovers(options: LeftoversOptions, context: Context): Promise<Status> {
  const { terminal } = context;
  const { client, name } = connectCluster({ ...options, context: options.context ?? options.cluster }, context);
  const observation = await readLeftovers(client);
  const found = findLeftovers(observation, (text) => createHash('sha256').update(text).digest('hex'));
  const { unread } = observation;
  const isWhole = unread.length === 0;
  if (options.json === true) {
    terminal.answer(`${JSON.stringify({ ok: isWhole, cluster: name, leftovers: found, unread }, undefined, 2)}\n`);
  } else {
    terminal.answer(leftoversText(found, { now: Date.now(), style: terminal.style }));
  }
  for (const { what, why } of unread) terminal.note(`${what} cannot be listed, so nothing is said of them: ${why}\n`);
  return isWhole ? 0 : 1;
}

function leftoversText(found: readonly Leftover[], { now, style }: TextOptions): string {
  if (found.length === 0) return 'Nothing is left.\n';
  const codes = Object.keys(remedies) as LeftoverCode[];
  const sections = codes.flatMap((code) => {
    const these = found.filter((leftover) => leftover.code === code);
    if (these.length === 0) return [];
    const lines = these.map(({ message, since }) => `  ${message} ${style.dim(`(${ago(since, now)})`)}`);
    return [[style.bold(code), ...lines, `  → ${remedies[code]}`].join('\n')];
  });
  return `${sections.join('\n\n')}\n`;
}

const remedies: Readonly<Record<LeftoverCode, string>> = {
  'namespace-of-gone-claim': 'Look what is in it, then "kubectl delete namespace NAME".',
  'volume-of-gone-claim':
    'A claim of that name would start on it. Save what is needed, then "kubectl delete pvc NAME".',
  'object-of-gone-claim': 'Delete it, unless somebody has taken it over.',
  'object-of-gone-installation': 'Delete it, unless somebody has taken it over.',
  'dangling-webhook': 'Delete the configuration, or bring back what answers it: until then it refuses what it matches.',
  'dangling-api-service': 'Delete it, or bring back what serves it: until then no namespace can be deleted.',
  'orphaned-pod': 'Give it back the label that its controller selects, or delete it.',
  'foreign-label': 'Remove the label, or write it in git where the object is rendered from.',
};
