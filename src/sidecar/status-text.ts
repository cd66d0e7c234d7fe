import type { Style } from '../report/style.ts';
import { shutdownSection } from './shutdown-text.ts';
import { instantFrom, span } from './span.ts';
import { ago, blockerLines, silenceOf, type TextOptions } from './status-lines.ts';
import type { BlockView, ComponentStatus, LifeStatus, LifeView, StatusView } from './status-view.ts';
import { table } from './table.ts';

/** Of what there is; a cluster without installations has no such section. */
export function statusText(view: StatusView, options: TextOptions): string {
  const sections = [
    ...view.maintenance.map((block) => blockText(block, options)),
    lifeSection('Virtual clusters', view.claims, options),
    lifeSection('Installations', view.installations, options),
    shutdownSection(view, options),
    ...view.unread.map(({ resource, why }) => options.style.yellow(`${resource} cannot be read: ${why}`)),
  ].filter((section) => section !== '');
  return sections.length === 0 ? 'There is nothing to show.\n' : `${sections.join('\n\n')}\n`;
}

function blockText({ name, config, deleting, status }: BlockView, options: TextOptions): string {
  const { style } = options;
  const counts = [
    `${status.readyNodes ?? 0} ready`,
    `${status.reconcilingNodes ?? 0} reconciling`,
    warned(style, status.stalledNodes ?? 0, 'stalled'),
    `${status.underMaintenanceNodes ?? 0} under maintenance`,
    warned(style, status.unknownNodes ?? 0, 'unknown'),
  ];
  const of = config === name ? '' : ` (${config})`;
  const head = `${style.bold(`Maintenance ${name}`)}${of}: ${counts.join(', ')}${deleting ? ', being deleted' : ''}`;
  const silence = silenceOf(status.heartbeat, (status.reconcilingNodes ?? 0) + (status.stalledNodes ?? 0) > 0, options);
  return [head, ...silence, ...nodeLines(status.nodes ?? [], options)].join('\n');
}

function warned(style: Style, count: number, what: string): string {
  return count > 0 ? style.yellow(`${count} ${what}`) : `${count} ${what}`;
}

function nodeLines(nodes: NonNullable<BlockView['status']['nodes']>, options: TextOptions): string[] {
  if (nodes.length === 0) return [];
  const { now } = options;
  const rows = nodes.map((node) => [
    node.node ?? '-',
    node.address,
    node.overran === true ? `${node.phase} (overran)` : node.phase,
    node.stage === undefined ? '-' : `${node.stage}/5`,
    node.podsLeft === undefined ? '-' : String(node.podsLeft),
    ago(node.since, now),
    node.phase === 'Draining' ? ahead(node.deadline, now) : '-',
  ]);
  const lines = table(['NODE', 'ADDRESS', 'PHASE', 'STAGE', 'PODS LEFT', 'SINCE', 'DEADLINE'], rows, '  ');
  const [header = '', ...body] = lines;
  return [
    options.style.dim(header),
    ...body.flatMap((line, index) => [line, ...blockerLines(nodes[index]?.blockers ?? [], options)]),
  ];
}

function lifeSection(
  title: string,
  views: readonly (LifeView & { readonly status: { readonly components?: readonly ComponentStatus[] } })[],
  options: TextOptions,
): string {
  if (views.length === 0) return '';
  const rows = views.map(({ name, state, deleting, status }) => [
    name,
    deleting ? `${state}, being deleted` : state,
    status.phase ?? '-',
    ago(status.since, options.now),
    stepOf(status),
    status.reason ?? '-',
  ]);
  const [header = '', ...body] = table(['NAME', 'STATE', 'PHASE', 'SINCE', 'STEP', 'REASON'], rows, '  ');
  return [
    options.style.bold(title),
    options.style.dim(header),
    ...body.flatMap((line, index) => [line, ...lifeDetails(views[index]?.status ?? {}, options)]),
  ].join('\n');
}

function lifeDetails(
  status: LifeStatus & { readonly components?: readonly ComponentStatus[] },
  options: TextOptions,
): string[] {
  const { lastError, blockers = [], components = [], phase } = status;
  const isAtWork = phase === 'Deleting' || phase === 'Sleeping' || phase === 'Waking';
  return [
    ...silenceOf(status.heartbeat, isAtWork, options),
    ...(lastError === undefined ? [] : [`      ${options.style.red(lastError.code)}: ${lastError.message}`]),
    ...blockerLines(blockers, options),
    ...components
      .filter((component) => component.phase !== phase || (component.blockers ?? []).length > 0)
      .flatMap((component) => [
        `    ${component.name}: ${component.phase}`,
        ...blockerLines(component.blockers ?? [], options),
      ]),
  ];
}

function stepOf({ step, done, total }: LifeStatus): string {
  if (step === undefined) return '-';
  return done === undefined || total === undefined ? step : `${step} (${done}/${total})`;
}

function ahead(instant: string | undefined, now: number): string {
  const at = instantFrom(instant);
  if (at === undefined) return '-';
  return at > now ? `in ${span(at - now)}` : `${span(now - at)} ago`;
}
