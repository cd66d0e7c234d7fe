import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { version } from '../version.ts';

/** Everything that /metrics shows; docs/metrics.md explains each of them, and a test compares the two. */
export interface Metrics {
  readonly requests: Counter<'verb' | 'resource' | 'status'>;
  readonly requestSeconds: Histogram<'verb'>;
  readonly objects: Gauge<'kind'>;
  readonly watchLive: Gauge<'kind'>;
  readonly watchFailures: Counter<'kind'>;
  readonly leading: Gauge;
  readonly passes: Counter<'loop' | 'outcome'>;
  readonly passSeconds: Histogram<'loop'>;
  readonly waiting: Gauge;
  readonly actions: Counter<'loop' | 'action' | 'outcome'>;
  readonly claims: Gauge<'phase'>;
  readonly evictions: Counter<'answer'>;
  readonly nodes: Gauge<'block' | 'phase'>;
  readonly podsLeft: Gauge<'block'>;
  readonly blockers: Gauge<'block' | 'code'>;
  readonly machinesLeft: Gauge<'shutdown' | 'phase'>;
  readonly events: Counter<'outcome'>;
  text(): Promise<string>;
  readonly contentType: string;
}

export function openMetrics(cluster: string | undefined): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (cluster !== undefined) registry.setDefaultLabels({ cluster });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name: `quiesce_${name}`, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `quiesce_${name}`, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) =>
    new Histogram({ name: `quiesce_${name}`, help, labelNames, buckets, registers });
  addProcess(registry);
  return {
    requests: counter('api_requests_total', 'Requests to the API server; status 0: no answer.', [
      'verb',
      'resource',
      'status',
    ]),
    requestSeconds: histogram('api_request_seconds', 'How long they took.', ['verb'], [0.005, 0.02, 0.1, 0.5, 2, 10]),
    objects: gauge('cached_objects', 'Objects that are watched.', ['kind']),
    watchLive: gauge('watch_live', '1 while the watch of this kind is up to date.', ['kind']),
    watchFailures: counter('watch_failures_total', 'Lists and watches that broke.', ['kind']),
    leading: gauge('leader', '1 while this one leads.'),
    passes: counter('passes_total', 'Passes of observe, decide, act.', ['loop', 'outcome']),
    passSeconds: histogram('pass_seconds', 'How long they took.', ['loop'], [0.001, 0.005, 0.02, 0.1, 0.5, 2]),
    waiting: gauge('queue_depth', 'Subjects that wait for a pass.'),
    actions: counter('actions_total', 'What was done, and what came of it.', ['loop', 'action', 'outcome']),
    claims: gauge('claims', 'Claims by phase.', ['phase']),
    evictions: counter('evictions_total', 'Evictions by what the API server answered.', ['answer']),
    nodes: gauge('maintenance_nodes', 'Nodes by the phase of their maintenance.', ['block', 'phase']),
    podsLeft: gauge('maintenance_pods_left', 'Pods that are still to go.', ['block']),
    blockers: gauge('maintenance_blockers', 'What keeps nodes from getting on, by code.', ['block', 'code']),
    machinesLeft: gauge('shutdown_machines_left', 'Machines of a shutdown or restart that are still to come.', [
      'shutdown',
      'phase',
    ]),
    events: counter('events_total', 'Events written.', ['outcome']),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** Two of the usual ones. The library's own set measures the event loop a hundred times a second, also at rest. */
function addProcess(registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({ name: 'process_start_time_seconds', help: 'When it was started.', registers }).set(
    Math.round(Date.now() / 1000 - process.uptime()),
  );
  new Gauge({ name: 'quiesce_build_info', help: 'Always 1.', labelNames: ['version'], registers }).set({ version }, 1);
}
