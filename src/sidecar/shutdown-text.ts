import type { PowerStatus, ShutdownStatus } from './shutdown/status.ts';
import { ago, blockerLines, silenceOf, type TextOptions } from './status-lines.ts';
import type { ShutdownView, StatusView } from './status-view.ts';
import { table } from './table.ts';

/** Shutdowns and restarts, each with what it waits for and, while there is one under way, with the order. */
export function shutdownSection({ shutdowns }: StatusView, options: TextOptions): string {
  if (shutdowns.length === 0) return '';
  const rows = shutdowns.map(({ name, action, status }) => [
    name,
    action,
    status.phase ?? '-',
    ago(status.since, options.now),
    status.nodesLeft === undefined ? '-' : String(status.nodesLeft),
    status.waitingFor ?? '-',
  ]);
  const [header = '', ...body] = table(['NAME', 'ACTION', 'PHASE', 'SINCE', 'NODES LEFT', 'WAITING FOR'], rows, '  ');
  const lines = body.flatMap((line, index) => [line, ...details(shutdowns[index], options)]);
  return [options.style.bold('Shutdown'), options.style.dim(header), ...lines].join('\n');
}

const atWork: readonly ShutdownStatus['phase'][] = ['Draining', 'PoweringOff', 'PoweringOn', 'Leaving', 'Error'];

function details(view: ShutdownView | undefined, options: TextOptions): string[] {
  if (view === undefined || view.action === 'None') return [];
  const { phase, heartbeat, gates = [], blockers = [], powerOffOrder = [] } = view.status;
  const { style } = options;
  return [
    ...silenceOf(heartbeat, atWork.includes(phase), options),
    ...gates
      .filter(({ open }) => !open)
      .map(({ name, message }) => `      ${style.yellow(name)}${message === undefined ? '' : `: ${message}`}`),
    ...blockerLines(blockers, options),
    ...(powerOffOrder.length === 0 ? [] : order(view.action, powerOffOrder, options)),
  ];
}

/** The list is the result where no hook turns machines over: so it is numbered in the order of doing it. */
function order(action: string, machines: readonly PowerStatus[], { now, style }: TextOptions): string[] {
  const inTurn = action === 'Restart' ? [...machines].reverse() : machines;
  const rows = inTurn.map(({ address, node, role, etcd, state, since }, index) => [
    String(index + 1),
    node ?? '-',
    address,
    role ?? '-',
    etcd === undefined ? '-' : etcd.toLowerCase(),
    state,
    ago(since, now),
  ]);
  const [header = '', ...body] = table(['#', 'NODE', 'ADDRESS', 'ROLE', 'ETCD', 'STATE', 'SINCE'], rows, '    ');
  return [style.dim(header), ...body];
}
