import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type AuditLine, sidecarUser } from '../test/cluster/sidecar/audit.ts';
import { type Lab, type Sidecar, startLab } from '../test/cluster/sidecar/lab.ts';
import { writeChart } from '../test/cluster/uninstall/chart.ts';
import { type Assets, findAssets } from '../test/controlplane/assets.ts';
import { type Access, writeKubeconfig } from '../test/support/access.ts';
import { addNodes } from '../test/support/nodes.ts';
import { apply, type KubeObject, list } from '../test/support/objects.ts';
import { waitFor } from '../test/support/wait.ts';
import { namespace } from '../test/support/workloads.ts';
import { administrator } from './administrator.ts';
import { atMost, type Figure, told } from './figures.ts';

const home = 'elsewhere';

/** Whose requests are counted beside the sidecar's. */
const rival = `system:serviceaccount:${home}:remover`;

export interface Ground {
  readonly lab: Lab;
  readonly assets: Assets;
  readonly sidecar: Sidecar;
  /** As the rival, with the permissions of an administrator, as people run it. */
  readonly kubeconfig: string;
}

/** A cluster with nodes for so many Pods and a sidecar that leads; nothing where there are no programs for one. */
export async function* onGround(nodes: number, figures: (ground: Ground) => AsyncIterable<Figure>) {
  const found = await findAssets(process.env);
  if (found.kind === 'missing') {
    process.stdout.write(`${found.reason}: uninstalls are not measured. ${found.remedy}\n`);
    return;
  }
  const { assets } = found;
  const lab = await startLab({ assets, users: [rival] });
  try {
    const addresses = Array.from({ length: nodes }, (_, index) => `10.0.0.${index + 1}`);
    await addNodes(lab.access, ...addresses.map((internalIP, index) => ({ name: `worker-${index}`, internalIP })));
    await apply(lab.access, namespace(home), ...administrator(home, 'remover'));
    const token = await lab.cluster.tokenFor(home, 'remover');
    const kubeconfig = await writeKubeconfig(join(lab.cluster.sandbox.folder, 'remover'), { ...lab.access, token });
    const sidecar = await lab.sidecar({ name: 'steward' });
    yield* figures({ lab, assets, sidecar, kubeconfig });
  } finally {
    await lab.stop();
  }
}

interface Removed {
  readonly seconds: number;
  readonly requests: number;
}

/** How Helm is asked to remove namespaces. */
const wayOfHelm = {
  among: 'helm, namespaces among all',
  after: 'helm, namespaces last',
} as const;

interface Contest {
  /** The last one comes to the same result as the sidecar. */
  readonly helm: readonly (keyof typeof wayOfHelm)[];
  readonly objects: readonly KubeObject[];
  /** What kubectl and Helm take in one command each, one after the other. */
  readonly commands: readonly (readonly KubeObject[])[];
  readonly sidecar: {
    /** Until it knows of what is there. */
    prepare(): Promise<void>;
    /** Until it says that all is gone. */
    remove(): Promise<void>;
  };
  /** So often all of them but kubectl, in turn: the best time of each counts. */
  readonly rounds: number;
}

/**
 * The same is removed by the sidecar, by kubectl, and by Helm, which does less on the way, and looks for nothing of
 * others and names no UID in any case. With namespaces among the objects of its releases, they are told to go at once,
 * with whatever anybody has in them. With namespaces last, everything of a release is gone before them but Pods: of
 * several releases the next one goes while the Pods of those that need it still run. To wait for Pods as well, it would
 * take `--cascade foreground`, with which Helm 4 calls what is on its way out an error.
 */
export async function* contest(
  ground: Ground,
  what: string,
  { helm: ways, objects, commands, sidecar, rounds }: Contest,
): AsyncGenerator<Figure> {
  const best = new Map<string, Removed>();
  const note = (who: string, removed: Removed) => {
    progress(`${who}: ${removed.seconds.toFixed(2)} s, ${removed.requests} requests`);
    if (removed.seconds < (best.get(who)?.seconds ?? Number.POSITIVE_INFINITY)) best.set(who, removed);
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const way of ways) {
      note(wayOfHelm[way], await byHelm(ground, commands, way));
      await untilGone(ground.lab.access, objects);
    }
    note('quiesce sidecar', await bySidecar(ground, objects, sidecar));
    await untilGone(ground.lab.access, objects);
  }
  for (const [who, removed] of best) yield* shown(`${what}: ${who}`, removed);
  const ours = best.get('quiesce sidecar');
  if (ours === undefined) return;
  for (const way of ways) {
    const theirs = best.get(wayOfHelm[way]);
    if (theirs !== undefined)
      yield* compared(`${what}: ${wayOfHelm[way]}`, { ours, theirs, isGoal: way === ways.at(-1) });
  }
  await applyAll(ground.lab.access, objects);
  const kubectl = await byKubectl(ground, commands, ours);
  yield* shown(`${what}: kubectl${kubectl.isOver ? '' : ', stopped'}`, kubectl);
  const kubectlDelete = `${what}: kubectl delete --wait${kubectl.isOver ? '' : ', at most'}`;
  yield* compared(kubectlDelete, { ours, theirs: kubectl, isGoal: true });
  if (kubectl.isOver) await untilGone(ground.lab.access, objects);
}

async function bySidecar(
  ground: Ground,
  objects: readonly KubeObject[],
  { prepare, remove }: Contest['sidecar'],
): Promise<Removed> {
  await applyAll(ground.lab.access, objects);
  await prepare();
  progress('the sidecar begins');
  const begun = Date.now();
  const { requests } = await measured(ground, sidecarUser, remove);
  // As whoever watches sees it; the rivals end by themselves.
  const told = ground.lab.audit().filter((line) => line.received >= begun && saysDeleted(line));
  return { seconds: (Math.max(...told.map(({ answered }) => answered)) - begun) / 1000, requests };
}

function saysDeleted({ user, subresource, body }: AuditLine): boolean {
  const status = body?.status as { readonly phase?: string } | undefined;
  return user === sidecarUser && subresource === 'status' && status?.phase === 'Deleted';
}

const begunAt = Date.now();

/** What it is at, for whoever waits. */
export function progress(text: string): void {
  process.stderr.write(`${String(Math.round((Date.now() - begunAt) / 1000)).padStart(5)} s  ${text}\n`);
}

const atOnce = 8;

/** Namespaces first; over when all of their Pods are ready. */
export async function applyAll(access: Access, objects: readonly KubeObject[]): Promise<void> {
  progress(`applying ${objects.length} objects`);
  const isSpace = ({ kind }: KubeObject) => kind === 'Namespace';
  for (const wave of [objects.filter(isSpace), objects.filter((object) => !isSpace(object))]) {
    const left = [...wave];
    const work = async (own: Access) => {
      for (let object = left.shift(); object !== undefined; object = left.shift()) await apply(own, object);
    };
    // Each with its own connections: those of one Access are fewer.
    await Promise.all(Array.from({ length: atOnce }, () => work({ ...access })));
  }
  await untilRunning(access, objects);
}

async function untilRunning(access: Access, objects: readonly KubeObject[]): Promise<void> {
  if (podsOf(objects) === 0) return;
  progress(`waiting for ${podsOf(objects)} pods`);
  await waitFor('all pods to run', { seconds: 300, everyMs: 500 }, async () => {
    const waiting = await list(access, ['v1', 'Pod'], { fieldSelector: 'status.phase!=Running' });
    const pods = await list(access, ['v1', 'Pod']);
    return waiting.length === 0 && pods.length >= podsOf(objects) ? { met: true } : { seen: `${pods.length} pods` };
  });
}

function podsOf(objects: readonly KubeObject[]): number {
  return objects
    .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
    .reduce((sum, { spec }) => sum + ((spec as { replicas?: number }).replicas ?? 1), 0);
}

/** So long it may take in any case. */
const kubectlSeconds = 60;

/**
 * One `kubectl delete -f --wait` for each group, one after the other. It asks a few times a second: with many objects it
 * is stopped when it has taken half as long again as the sidecar, and its figures are then its least.
 */
async function byKubectl(
  ground: Ground,
  groups: readonly (readonly KubeObject[])[],
  ours: Removed,
): Promise<Removed & { readonly isOver: boolean }> {
  const { sandbox } = ground.lab.cluster;
  const files = groups.map((group, index) => {
    const file = join(sandbox.folder, `group-${index}.json`);
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: group }));
    return file;
  });
  const stop = new AbortController();
  const kubectl = (...args: readonly string[]) =>
    run(ground, [...ground.assets.kubectl, ...args, '--kubeconfig', ground.kubeconfig], stop.signal);
  await kubectl('get', 'nodes'); // What it discovers is on its disk from then on.
  progress('kubectl begins');
  const hasLost = setTimeout(() => stop.abort(), Math.max(kubectlSeconds, 1.5 * ours.seconds) * 1000);
  const removed = await measured(ground, rival, async () => {
    try {
      for (const file of files) await kubectl('delete', '-f', file, '--wait', '--timeout=600s');
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
  });
  clearTimeout(hasLost);
  return { ...removed, isOver: !stop.signal.aborted };
}

/**
 * A release for each group, installed by Helm itself, the last first, and uninstalled with `--wait`, one after the
 * other; namespaces as objects of the releases, or with `kubectl delete namespace` when those are gone.
 */
async function byHelm(
  ground: Ground,
  groups: readonly (readonly KubeObject[])[],
  way: keyof typeof wayOfHelm,
): Promise<Removed> {
  const { sandbox } = ground.lab.cluster;
  const charts = join(sandbox.folder, 'charts', way);
  mkdirSync(charts, { recursive: true });
  const isSpace = ({ kind }: KubeObject) => kind === 'Namespace';
  const spaces = way === 'among' ? [] : groups.flat().filter(isSpace);
  await apply(ground.lab.access, ...spaces);
  const flags = ['--kubeconfig', ground.kubeconfig];
  const helm = (...args: readonly string[]) =>
    run(ground, [...ground.assets.helm4, ...args, ...flags, '--namespace', home]);
  const names = groups.map((_, index) => `release-${index}`);
  for (const [index, name] of [...names.entries()].reverse()) {
    const objects = (groups[index] ?? []).filter((object) => !spaces.includes(object));
    const templates = Object.fromEntries(objects.map((object, at) => [`object-${at}`, object]));
    const chart = writeChart(charts, name, templates);
    progress(`helm installs ${objects.length} objects`);
    await helm('install', name, chart, '--qps=1000', '--burst-limit=1000');
  }
  await untilRunning(ground.lab.access, groups.flat());
  progress('helm begins');
  return measured(ground, rival, async () => {
    for (const name of names) await helm('uninstall', name, '--wait', '--timeout=600s');
    if (spaces.length === 0) return;
    const left = spaces.map(({ metadata }) => metadata.name);
    await run(ground, [...ground.assets.kubectl, 'delete', 'namespace', ...left, '--wait', '--timeout=600s', ...flags]);
  });
}

async function run({ lab }: Ground, [command = '', ...args]: readonly string[], signal?: AbortSignal): Promise<void> {
  const { folder, env } = lab.cluster.sandbox;
  const homes = { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder, HOME: folder };
  await promisify(execFile)(command, args, {
    env: { ...env, ...homes },
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
    signal,
  });
}

async function measured({ lab }: Ground, user: string, act: () => Promise<void>): Promise<Removed> {
  const begun = Date.now();
  await act();
  const seconds = (Date.now() - begun) / 1000;
  return { seconds, requests: requestsOf(lab.audit(), begun, user) };
}

/** Each once: of a watch both its beginning and its end are written down. The Lease is nobody's work. */
export function requestsOf(lines: readonly AuditLine[], begun: number, user: string): number {
  const asked = lines.filter((line) => line.user === user && line.received >= begun && line.resource !== 'leases');
  return new Set(asked.map(({ verb, requestUri, received }) => `${verb} ${requestUri} ${received}`)).size;
}

/** The namespace controller waits 5 s before it begins, and what still waits for a name counts for its successor. */
const forgottenMs = 10_000;

async function untilGone(access: Access, objects: readonly KubeObject[]): Promise<void> {
  const names = new Set(objects.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name));
  progress(`waiting for ${names.size} namespaces to be gone`);
  await waitFor('the namespaces to be gone', { seconds: 300, everyMs: 500 }, async () => {
    const left = (await list(access, ['v1', 'Namespace'])).filter(({ metadata }) => names.has(metadata.name));
    return left.length === 0 ? { met: true } : { seen: `${left.length} are left` };
  });
  await sleep(forgottenMs);
}

function* shown(who: string, { seconds, requests }: Removed): Generator<Figure> {
  yield told(who, seconds, 's');
  yield told(`${who}, requests`, requests, '');
}

interface Pair {
  readonly ours: Removed;
  readonly theirs: Removed;
  readonly isGoal: boolean;
}

function* compared(whom: string, { ours, theirs, isGoal }: Pair): Generator<Figure> {
  const [time, requests] = [ours.seconds / theirs.seconds, ours.requests / theirs.requests];
  const figure = (name: string, share: number, limit: number) =>
    isGoal ? atMost(name, share, '', limit) : told(name, share, '');
  yield figure(`${whom}, share of its time`, time, 1);
  yield figure(`${whom}, share of its requests`, requests, 1.5);
}
