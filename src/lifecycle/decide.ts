import type { Instant } from '../instant.ts';
import type { LifecycleRecord } from '../resolve/state.ts';
import { decideClaim } from './claim.ts';
import type {
  Deadlines,
  Decision,
  DeliveryReport,
  Hold,
  LifecycleClaim,
  LifecycleDecisions,
  LifecycleInput,
  LifecycleInstallation,
  ObservedCluster,
} from './decision.ts';
import { decideInstallation } from './installation.ts';
import { second } from './instants.ts';
import { nextChange } from './next.ts';
import { type Scene, type Time, timeOf } from './scene.ts';
import { deadlinesOf, termsOf } from './terms.ts';

const unlisted: ObservedCluster = { kind: 'unknown', why: 'it was not asked' };

/** Everything that is to be done now. The same input at the same instant gives the same answer. */
export function decide(now: Instant, input: LifecycleInput): LifecycleDecisions {
  const time = timeOf(now, input.clocks);
  const reports = reportsByClaim(input.reports);
  const decisions: Decision[] = [];
  const deadlines = new Map<string, Deadlines>();
  const next = new Map<string, Instant>();
  for (const claim of input.claims) {
    if (input.unreadable.has(claim.name)) {
      decisions.push(unreadable('claim', claim.name));
      continue;
    }
    const scene = sceneOf(claim, { time, input, reports });
    const decision = decideClaim(scene);
    if (decision !== undefined) decisions.push(decision);
    const after = afterwards(scene, decision);
    if (after.deadlines !== undefined) deadlines.set(claim.name, after.deadlines);
    if (after.next !== undefined) next.set(claim.name, after.next);
  }
  decisions.push(...installations(time, input), ...endedRecords(input));
  decisions.sort(byName);
  return { decisions, holds: timeHolds(time), deadlines, next };
}

function sceneOf(
  claim: LifecycleClaim,
  {
    time,
    input,
    reports,
  }: { time: Time; input: LifecycleInput; reports: ReadonlyMap<string, readonly DeliveryReport[]> },
): Scene {
  const cluster = input.clusters.get(claim.cluster) ?? unlisted;
  return {
    time,
    claim,
    record: input.records.get(claim.name),
    cluster,
    resource: cluster.kind === 'known' ? cluster.claims.get(claim.name) : undefined,
    settings: input.settings,
    mail: input.mail,
    reports: reports.get(claim.name) ?? [],
  };
}

/** Of the claim as it is once the decision is carried out. */
function afterwards(scene: Scene, decision: Decision | undefined): { deadlines?: Deadlines; next?: Instant } {
  const record = writtenRecord(decision) ?? scene.record;
  const state = decision?.state?.to ?? scene.claim.state;
  if (record === undefined || state === 'Deleted') return {};
  const claim = state === scene.claim.state ? scene.claim : { ...scene.claim, state };
  const terms = termsOf(scene.time.now, { ...scene, claim, record });
  const next = nextChange(scene, claim, { terms, record });
  return {
    ...(terms !== undefined && { deadlines: deadlinesOf(terms, claim, scene.settings) }),
    ...(next !== undefined && { next }),
  };
}

function writtenRecord(decision: Decision | undefined): LifecycleRecord | undefined {
  return decision?.record?.kind === 'write' ? decision.record.record : undefined;
}

function installations({ now }: Time, input: LifecycleInput): Decision[] {
  return input.installations.flatMap((installation: LifecycleInstallation) => {
    const { name, cluster } = installation;
    if (input.unreadable.has(name)) return [unreadable('installation', name)];
    const host = input.clusters.get(cluster);
    const resource = host?.kind === 'known' ? host.installations.get(name) : undefined;
    return decideInstallation({ now, installation, record: input.records.get(name), resource }) ?? [];
  });
}

/** Records of what is gone, from the output as well. One that tells of kept data goes when people remove it. */
function endedRecords({ records, claims, installations, compiled, unreadable }: LifecycleInput): Decision[] {
  if (compiled === undefined) return [];
  const present = new Set([...claims, ...installations].map(({ name }) => name));
  return [...records.values()]
    .filter(({ name, uninstalled }) => uninstalled?.data === 'Deleted' && !present.has(name) && !unreadable.has(name))
    .filter(({ name }) => !compiled.has(name))
    .map(({ name, origin }) => ({
      kind: 'record',
      name,
      record: { kind: 'remove', file: origin.file },
      mails: [],
      holds: [],
      events: [{ kind: 'recordEnded' }],
    }));
}

function unreadable(kind: Decision['kind'], name: string): Decision {
  const message = `state/records/${name}.yaml cannot be read: nothing is decided about ${name}.`;
  return { kind, name, mails: [], holds: [{ code: 'record-unreadable', message }], events: [] };
}

function timeHolds({ trust, differing }: Time): Hold[] {
  if (trust === 'unconfirmed') {
    const message = 'No other machine said what time it is, so nothing expires and nobody is warned.';
    return [{ code: 'clock-unconfirmed', message }];
  }
  if (trust === 'confirmed' || differing === undefined) return [];
  const minutes = Math.round(Math.abs(differing.ahead) / (60 * second));
  const way = differing.ahead < 0 ? 'behind' : 'ahead of';
  const message = `The clock of ${differing.from} is ${minutes} minutes ${way} ours: nothing that depends on the time is done.`;
  return [{ code: 'clocks-disagree', message }];
}

function reportsByClaim(reports: readonly DeliveryReport[]): ReadonlyMap<string, readonly DeliveryReport[]> {
  const byClaim = new Map<string, DeliveryReport[]>();
  for (const report of reports) {
    const known = byClaim.get(report.mail.claim);
    if (known === undefined) byClaim.set(report.mail.claim, [report]);
    else known.push(report);
  }
  return byClaim;
}

/** By name, and a claim before what else may have the name: the same decisions come in the same order. */
function byName(a: Decision, b: Decision): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0;
}
