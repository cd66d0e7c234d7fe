import { type Explanation, explain } from '../sidecar/explain.ts';
import { explanationText } from '../sidecar/explain-text.ts';
import { readStatus } from '../sidecar/status-view.ts';
import { dnsSubdomainFault } from '../validate/grammar/names.ts';
import { closest } from '../validate/suggest.ts';
import { type ClusterOptions, connectCluster } from './cluster-connection.ts';
import { type Context, type Status, UsageError } from './context.ts';

export interface ExplainOptions extends ClusterOptions {
  readonly json?: boolean;
}

/** `quiesce explain NAME` */
export async function explainByName(name: string, options: ExplainOptions, context: Context): Promise<Status> {
  const { terminal } = context;
  const fault = dnsSubdomainFault(name);
  if (fault !== undefined) throw new UsageError(`${fault.message} ${fault.remedy}`);
  const view = await readStatus(connectCluster(options, context).client);
  const explanations: readonly Explanation[] = [
    ...view.claims.filter((claim) => claim.name === name).map((claim) => explain('claim', claim)),
    ...view.installations.filter((each) => each.name === name).map((each) => explain('installation', each)),
  ];
  const unread = view.unread.filter(({ resource }) => resource === 'vclusterclaims' || resource === 'installations');
  const isFound = explanations.length > 0;
  if (options.json === true) {
    terminal.answer(`${JSON.stringify({ ok: isFound && unread.length === 0, explanations, unread }, undefined, 2)}\n`);
  } else {
    const text = { now: Date.now(), style: terminal.style };
    terminal.answer(explanations.map((explanation) => explanationText(explanation, text)).join('\n'));
  }
  for (const { resource, why } of unread) terminal.note(`${resource} cannot be read: ${why}\n`);
  if (!isFound && unread.length === 0) terminal.note(unknown(name, [...view.claims, ...view.installations]));
  return isFound && unread.length === 0 ? 0 : 1;
}

function unknown(name: string, known: readonly { readonly name: string }[]): string {
  const near = closest(
    name,
    known.map((each) => each.name),
  );
  const hint = near === undefined ? '"quiesce status" lists what there is.' : `Did you mean "${near}"?`;
  return `There is no claim and no installation called "${name}" on this cluster. ${hint}\n`;
}
