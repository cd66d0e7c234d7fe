import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { synth } from '../src/pipeline.ts';
import { sidecarUser } from '../test/cluster/sidecar/audit.ts';
import { type KubeObject, list, patch } from '../test/support/objects.ts';
import { claim, settings } from '../test/support/state.ts';
import { listTree, writeTree } from '../test/support/tree.ts';
import { waitFor } from '../test/support/wait.ts';
import { atMost, type Figure, told } from './figures.ts';
import type { Bench } from './suites.ts';
import { applyAll, contest, type Ground, onGround, progress, requestsOf } from './uninstall-ground.ts';

const leaving = 100;
const idle = 1000;

/** A hundred claims deleted at once against kubectl and Helm. */
export function claimFigures(bench: Bench): AsyncIterable<Figure> {
  return onGround(10, (ground) => atOnce(ground, bench));
}

/** What a thousand claims cost of which nothing is wanted. */
export function idleFigures(bench: Bench): AsyncIterable<Figure> {
  return onGround(1, (ground) => atRest(ground, bench));
}

async function* atOnce(ground: Ground, { base }: Bench): AsyncGenerator<Figure> {
  const { access } = ground.lab;
  const claims = await compiled(join(base, 'leaving'), leaving);
  const resources = claims.map(({ resource }) => resource);
  yield* contest(ground, `${leaving} claims at once`, {
    objects: claims.flatMap(({ objects }) => objects),
    rounds: 1,
    helm: ['after'],
    // As the resource lists them: in the order in which they go, the namespace last.
    commands: [claims.flatMap(({ leavingFirst }) => leavingFirst)],
    sidecar: {
      prepare: async () => {
        await applyAll(access, resources);
        await untilPhase(ground, 'Running', leaving);
      },
      remove: async () => {
        await Promise.all(resources.map((resource) => patch(access, resource, { spec: { state: 'Deleted' } })));
        await untilPhase(ground, 'Deleted', leaving);
      },
    },
  });
}

interface ClaimObject extends KubeObject {
  readonly status?: { readonly phase?: string };
}

/** A list of a thousand claims keeps an API server busy: it is asked for only when the sidecar counts as many. */
async function untilPhase(
  { lab: { access }, sidecar }: Pick<Ground, 'lab' | 'sidecar'>,
  phase: string,
  count: number,
): Promise<void> {
  let told = -1;
  await waitFor(`${count} claims to be ${phase}`, { seconds: 300, everyMs: 250 }, async () => {
    const counted = Number(
      new RegExp(`^quiesce_claims\\{phase="${phase}"[^}]*\\} (\\d+)`, 'm').exec(await sidecar.metrics())?.[1] ?? 0,
    );
    if (counted >= told + count / 10) {
      told = counted;
      progress(`${counted} claims are ${phase}`);
    }
    if (counted < count) return { seen: `${counted}` };
    const claims = await list<ClaimObject>(access, ['quiesce.dev/v1alpha1', 'VClusterClaim']);
    const there = claims.filter(({ status }) => status?.phase === phase);
    const rest = claims.find(({ status }) => status?.phase !== phase);
    return there.length === count ? { met: true } : { seen: `${there.length}; ${JSON.stringify(rest?.status)}` };
  });
}

async function* atRest({ lab, sidecar }: Ground, { base }: Bench): AsyncGenerator<Figure> {
  const claims = await compiled(join(base, 'idle'), idle, 'Sleeping');
  const kinds = ['Namespace', 'StatefulSet'];
  await applyAll(
    lab.access,
    claims.flatMap(({ objects }) => objects).filter(({ kind }) => kinds.includes(kind)),
  );
  await applyAll(
    lab.access,
    claims.map(({ resource }) => resource),
  );
  await untilPhase({ lab, sidecar }, 'Asleep', idle);
  progress('all is at rest: counting for a minute');
  await sleep(10_000);
  const begun = Date.now();
  await sleep(60_000);
  yield atMost(`${idle} claims at rest: requests a second`, requestsOf(lab.audit(), begun, sidecarUser) / 60, '', 1);
  const deletions = lab.audit().filter(({ user, verb, received }) => {
    return user === sidecarUser && verb === 'delete' && received >= begun;
  });
  yield atMost(`${idle} claims at rest: deletions`, deletions.length, '', 0);
  const pid = sidecar.program.pid();
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  yield atMost(`${idle} claims at rest: memory`, megabytes('VmRSS'), 'MB', 120);
  yield told(`${idle} claims at rest: the most memory until then`, megabytes('VmHWM'), 'MB');
}

interface Compiled {
  readonly resource: KubeObject;
  /** Everything else that is rendered, in the order in which it is applied. */
  readonly objects: readonly KubeObject[];
  readonly leavingFirst: readonly KubeObject[];
}

interface Listed {
  readonly kind: string;
  readonly name: string;
}

async function compiled(root: string, count: number, state = 'Running'): Promise<Compiled[]> {
  const names = Array.from({ length: count }, (_, index) => `${state.toLowerCase()}-${index}`);
  writeTree(root, [
    ['state/settings.yaml', settings()],
    ...names.map((name): [string, string] => [`state/claims/${name}.yaml`, claim(name, { state, expose: false })]),
  ]);
  const result = await synth({ root });
  if (result.kind === 'problems') throw new Error(JSON.stringify(result.problems));
  const files = [...listTree(join(root, 'out'))].filter(([path]) => path.endsWith('/claim.k8s.yaml'));
  return files.map(([, text]) => compiledFrom(parseAllDocuments(text).map((each) => each.toJS() as KubeObject)));
}

function compiledFrom(all: readonly KubeObject[]): Compiled {
  const resource = all.find(({ kind }) => kind === 'VClusterClaim');
  if (resource === undefined) throw new Error('a claim without its resource');
  const objects = all.filter((object) => object !== resource);
  const listed = (resource.spec as { readonly objects: readonly Listed[] }).objects;
  const leavingFirst = listed.flatMap(
    ({ kind, name }) => objects.find((object) => object.kind === kind && object.metadata.name === name) ?? [],
  );
  if (leavingFirst.length !== objects.length) throw new Error('not everything that is rendered is listed');
  return { resource, objects, leavingFirst };
}
