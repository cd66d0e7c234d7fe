import { afterAll, expect, it } from 'vitest';
import type { InstallationStatus } from '../../../src/sidecar/installations/status.ts';
import { apply, id, type KubeObject, list, type ObjectId, patch, read } from '../../support/objects.ts';
import { waitFor } from '../../support/wait.ts';
import { namespace } from '../../support/workloads.ts';
import { claimId, statusOf, syncedPod, waitForClaim } from '../claims/host.ts';
import { sidecarUser } from '../sidecar/audit.ts';
import { type Sidecar, startSidecar } from '../sidecar/lab.ts';
import { deletionsIn } from '../uninstall/invariants.ts';
import { brokenRest } from './audit.ts';
import { replacing } from './campus.ts';
import { claimFile } from './change-steps.ts';
import { openRunner, type Runner } from './runner.ts';
import { everythingOf, minutes, resourceOf, type Scenario } from './scenario.ts';
import { changesBetween } from './snapshot.ts';
import { changes, type HostName, type Picture } from './world.ts';

const sleeper = 'registrar-portal';
const ordered = 'thesis-edge-caching';
const byHand = 'u9f4c1e7a2b8d0356-test';
const restored = 'new-arrival';
const stack = 'observability';
/** Git has said Deleted of it from the beginning. */
const everDeleted = 'hackathon-spring';

const outFile = (sign: string, host: HostName, claim: string) => `${sign} ${host}/claims/${claim}/claim.k8s.yaml`;
const asleep = replacing(['\nspec:\n', '\nspec:\n  state: Sleeping\n']);
const awake = replacing(['  state: Sleeping\n', '']);
const deleted = replacing(['\nspec:\n', '\nspec:\n  state: Deleted\n']);
const notDeleted = replacing(['  state: Deleted\n', '']);

const installation = id('quiesce.dev/v1alpha1', 'Installation', stack);
const isOfStack = ({ kind, metadata: { name, namespace } }: ObjectId) =>
  namespace === stack || (['Namespace', 'Installation'].includes(kind) && name === stack);

/** Of a customer, in a namespace that would go else. */
const customers: KubeObject = configMap('customers-own', `vcluster-${byHand}`);
const stuck = syncedPod(restored, 'stuck', { finalizers: ['example.com/hold'] });
/** As teams add them by themselves: what the installation asks to be swept. */
const dashboard = configMap('teams-dashboard', 'team', { 'campus.example.edu/dashboard': 'true' });

/** Claims that sleep, wake and go, and an installation that goes: with the real sidecar and the real lifecycle runner. */
export function thingsComeToRest({ line, step, letGo }: Scenario): void {
  let sidecar: Sidecar;
  let runner: Runner;
  let before: Picture;

  afterAll(() => sidecar?.terminate());

  const host = () => line().world.hosts.atlas;
  const access = () => host().access;
  const podsOf = async (claim: string, on = host()) => {
    const pods = await list(on.access, ['v1', 'Pod'], { namespace: `vcluster-${claim}` });
    return pods.map(({ metadata }) => metadata.name).sort();
  };
  const deletionsOf = (claim: string) =>
    line()
      .world.audit()
      .filter((one) => one.user === sidecarUser && one.verb === 'delete' && one.namespace === `vcluster-${claim}`);
  const gone = (object: ObjectId, seconds = 60) =>
    waitFor(`${object.kind} ${object.metadata.name} to be gone`, { seconds }, async () => {
      const found = await read<KubeObject>(access(), object);
      return found === undefined ? { met: true } : { seen: JSON.stringify(found.status ?? found.metadata) };
    });
  const warned = (claim: string, reason: string) =>
    waitFor(`an event ${reason} of ${claim}`, { seconds: 30 }, async () => {
      const found = await list<Event>(access(), ['events.k8s.io/v1', 'Event']);
      const notes = found.filter(({ regarding }) => regarding.name === claim);
      const note = notes.find((event) => event.reason === reason)?.note;
      return note === undefined ? { seen: notes.map((event) => event.reason).join() } : { met: note };
    });

  it(
    'the sidecar takes over: maintenance begins, and of each claim it is said where it is',
    async () => {
      const names = [sleeper, ordered, byHand, restored];
      sidecar = await startSidecar(host(), await host().tokenFor('quiesce-system', 'quiesce-sidecar'));
      runner = await openRunner(line().world);
      await waitFor('the node to be in maintenance', { seconds: 90, everyMs: 300 }, async () => {
        const block = id('quiesce.dev/v1alpha1', 'MaintenanceBlock', 'atlas-metal');
        const { status } = (await read<Block>(access(), block)) ?? {};
        const node = status?.nodes?.find(({ address }) => address === '10.20.1.101');
        return node?.phase === 'InMaintenance' ? { met: true } : { seen: JSON.stringify(node) };
      });
      for (const claim of names) await waitForClaim(access(), claim, { phase: 'Running' });
      await waitForClaim(access(), everDeleted, { phase: 'Deleted' });
      await apply(access(), namespace('team'), customers, dashboard);
      await apply(access(), ...names.map((claim) => syncedPod(claim, 'web')), stuck);
    },
    minutes(4),
  );

  it(
    'deleted with kubectl, a claim waits for git, which the runner tells; nothing of it goes meanwhile',
    async () => {
      letGo(resourceOf(byHand));
      // The shipped settings name groups whose members may.
      const as = ['--as=ada', '--as-group=system:masters', '--as-group=platform-admins'];
      await host().kubectl('delete', 'vcc', byHand, '--wait=false', ...as);
      const { blockers } = await waitForClaim(access(), byHand, { phase: 'DeletePending', reason: 'NotInGit' });
      expect(blockers?.[0]).toMatchObject({ code: 'not-in-git', who: 'lifecycle' });
      await line().applier.lookAgain(`claim.${byHand}`);
      await runner.run();
      expect(await statusOf(access(), byHand)).toMatchObject({ phase: 'DeletePending', reason: 'NotInGit' });
      expect(deletionsOf(byHand)).toEqual([]);
      expect(await podsOf(byHand)).toEqual([`${byHand}-0`, `web-x-default-x-${byHand}`]);
    },
    minutes(3),
  );

  it(
    'sleep, deletion and uninstalling arrive together, and the applier takes nothing of what is to be uninstalled',
    async () => {
      const { campus } = line().world;
      await campus.pull();
      expect(campus.read(claimFile(byHand))).toContain('state: Deleted');
      expect(campus.repo.has(claimFile(everDeleted))).toBe(false);
      before = await line().world.snapshot();
      letGo(resourceOf(everDeleted));
      for (const claim of [ordered, byHand, restored]) letGo(everythingOf(claim));
      letGo(isOfStack);
      const edits = {
        [claimFile(sleeper)]: asleep,
        [claimFile('flow-simulation')]: asleep,
        [claimFile(ordered)]: deleted,
        [claimFile(restored)]: deleted,
        [`state/installations/${stack}.yaml`]: replacing(['state: Installed', 'state: Deleted']),
      };
      const moving = [`claim.${ordered}`, `claim.${byHand}`, `claim.${restored}`, `installation.${stack}`];
      const { files, objects } = await step(edits, { moving });
      expect(files.filter((file) => file.includes('/claims/'))).toEqual([
        outFile('-', 'atlas', everDeleted),
        ...[restored, sleeper, ordered, byHand].map((claim) => outFile('~', 'atlas', claim)),
        outFile('~', 'borealis', 'flow-simulation'),
      ]);
      expect(objects.filter((change) => !isOfMoving(change))).toEqual(theirChanges);
      const resource = await read<KubeObject>(access(), claimId(ordered));
      const protection = Object.keys(resource?.metadata.annotations ?? {}).filter((key) =>
        /sync-options|prune/.test(key),
      );
      expect(protection).toEqual([]);
      await gone(claimId(everDeleted));
    },
    minutes(5),
  );

  it('somebody scales a claim that sleeps: reported, and git wins', async () => {
    await host().kubectl('-n', `vcluster-${sleeper}`, 'scale', `statefulset/${sleeper}`, '--replicas=1');
    expect(await warned(sleeper, 'ScaledByHand')).toContain('by "kubectl');
    await line().applier.lookAgain(`claim.${sleeper}`);
    await waitFor('the applier to set it back', { seconds: 60 }, async () => {
      const found = await read<Workload>(access(), workloads[0]);
      return found?.spec.replicas === 0 ? { met: true } : { seen: `${found?.spec.replicas} replicas` };
    });
  });

  it('of a claim that git says is Deleted nothing is left', async () => {
    await waitForClaim(access(), ordered, { phase: 'Deleted' });
    const resource = await read<Claim>(access(), claimId(ordered));
    const found = await Promise.all((resource?.spec.objects ?? []).map((one) => read(access(), idOf(one))));
    expect(found.length).toBeGreaterThan(5);
    expect(found.filter((object) => object !== undefined)).toEqual([]);
    expect(resource?.status?.leftovers).toBeUndefined();
  });

  it(
    'an installation goes in reverse order of its components, with its hooks, and keeps the data that it is to keep',
    async () => {
      const { status, spec } = await waitFor(`${stack} to be uninstalled`, { seconds: 120 }, async () => {
        const found = await read<Installation>(access(), installation);
        return found?.status?.phase === 'Deleted' ? { met: found } : { seen: JSON.stringify(found?.status) };
      });
      expect(status?.leftovers?.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
        `Namespace ${stack}`,
        'PersistentVolumeClaim data-logs-0',
      ]);
      expect(status?.components?.flatMap(({ hooks = [] }) => hooks)).toEqual([
        { name: 'final-snapshot', state: 'Succeeded', attempt: 1 },
        { name: 'tell-the-team', state: 'Succeeded', attempt: 1 },
      ]);
      expect(await read(access(), dashboard)).toBeUndefined();
      const order = deletionsIn(line().world.audit());
      expect(tooEarly(spec.components, order)).toEqual([]);
    },
    minutes(3),
  );

  it('deleted with kubectl: it is let go, made again by the applier, and says how it ended', async () => {
    await waitFor('its resource to be let go', { seconds: 60 }, async () => {
      const found = await read<KubeObject>(access(), claimId(byHand));
      const isOld = found?.metadata.deletionTimestamp !== undefined;
      return isOld ? { seen: JSON.stringify(found?.status) } : { met: true };
    });
    await line().applier.lookAgain(`claim.${byHand}`);
    const { leftovers } = await waitForClaim(access(), byHand, { phase: 'Deleted' });
    expect(leftovers).toEqual([{ apiVersion: 'v1', kind: 'Namespace', name: `vcluster-${byHand}` }]);
    expect(await read(access(), customers)).toBeDefined();
  });

  it('asleep, it has no pod, and is as it was but for its replicas', async () => {
    await waitForClaim(access(), sleeper, { phase: 'Asleep' }, 90);
    for (const workload of workloads) {
      const [name = ''] = [workload.metadata.namespace?.replace('vcluster-', '')];
      const on = line().world.hosts[name === sleeper ? 'atlas' : 'borealis'];
      expect(await podsOf(name, on)).toEqual([]);
      const found = await read<Workload>(on.access, workload);
      expect(found?.spec.replicas).toBe(0);
      expect(found?.metadata.annotations).toMatchObject({ 'loft.sh/paused': 'true', 'loft.sh/paused-replicas': '3' });
    }
  });

  it(
    'woken and restored in git, claims are as they were; what is uninstalled leaves git and the cluster',
    async () => {
      const control = id('apps/v1', 'StatefulSet', restored, `vcluster-${restored}`);
      await gone(control);
      expect(await statusOf(access(), restored)).toMatchObject({ phase: 'Deleting' });
      await runner.run();
      const { campus } = line().world;
      await campus.pull();
      expect(campus.read(`state/records/${sleeper}.yaml`)).toMatch(/observed:\n {4}phase: Asleep/);
      const ended = [ordered, byHand].map(claimFile);
      expect([...ended, `state/installations/${stack}.yaml`].filter((file) => campus.repo.has(file))).toEqual([]);
      await step(
        {
          [claimFile(sleeper)]: awake,
          [claimFile('flow-simulation')]: awake,
          [claimFile(restored)]: notDeleted,
        },
        { moving: [`claim.${restored}`], everything: true },
      );
      for (const claim of [ordered, byHand]) await gone(claimId(claim));
      await gone(installation);
      expect(await warned(restored, 'UninstallStopped')).toContain('Running');
      await waitForClaim(access(), restored, { phase: 'Running' });
      await patch(access(), stuck, { metadata: { finalizers: null } });
      await waitForClaim(access(), sleeper, { phase: 'Running' });
      expect((await statusOf(access(), sleeper)).replicas).toEqual({ desired: 3, observed: 3, ready: 3 });
      for (const workload of workloads) {
        const on = line().world.hosts[workload.metadata.name === sleeper ? 'atlas' : 'borealis'];
        expect((await read<Workload>(on.access, workload))?.spec.replicas).toBe(3);
      }
      const after = await line().world.snapshot();
      expect(changes(before, after, changesBetween).filter((change) => !isOfMoving(change))).toEqual([]);
      const data = (picture: Picture) =>
        picture.atlas.get(`PersistentVolumeClaim vcluster-${restored}/data-${restored}-0`);
      expect(data(after)?.metadata.uid).toBe(data(before)?.metadata.uid);
    },
    minutes(8),
  );

  it('nothing else was deleted, everything by its UID, by nobody but the sidecar, and nothing was made again', () => {
    expect(
      brokenRest(line().world.audit(), {
        claims: [ordered, byHand],
        living: [sleeper, restored],
        installation: stack,
        swept: ['teams-dashboard'],
        customers: ['customers-own', 'data-logs-0'],
      }),
    ).toEqual([]);
  });
}

const workloads = [
  id('apps/v1', 'StatefulSet', sleeper, `vcluster-${sleeper}`),
  id('apps/v1', 'Deployment', 'flow-simulation', 'vcluster-flow-simulation'),
  id('apps/v1', 'StatefulSet', 'flow-simulation-etcd', 'vcluster-flow-simulation'),
] as const;

const theirChanges = [
  `~ atlas StatefulSet vcluster-${sleeper}/${sleeper}`,
  `~ atlas VClusterClaim ${sleeper}`,
  '~ borealis Deployment vcluster-flow-simulation/flow-simulation',
  '~ borealis StatefulSet vcluster-flow-simulation/flow-simulation-etcd',
  '~ borealis VClusterClaim flow-simulation',
];

/** What the sidecar works at, or has worked at. */
function isOfMoving(change: string): boolean {
  return [ordered, byHand, restored, stack, everDeleted, 'teams-dashboard'].some((name) => change.includes(name));
}

interface Claim extends KubeObject {
  readonly spec: { readonly objects: readonly Listed[] };
  readonly status?: { readonly leftovers?: unknown };
}

interface Installation extends KubeObject {
  readonly spec: { readonly components: readonly Component[] };
  readonly status?: InstallationStatus;
}

interface Component {
  readonly name: string;
  readonly dependsOn: readonly string[];
  readonly objects: readonly Listed[];
}

interface Listed {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

interface Workload extends KubeObject {
  readonly spec: { readonly replicas: number };
}

interface Block extends KubeObject {
  readonly status?: { readonly nodes?: readonly { readonly address: string; readonly phase: string }[] };
}

interface Event extends KubeObject {
  readonly reason: string;
  readonly note: string;
  readonly regarding: { readonly name: string };
}

function idOf({ apiVersion, kind, name, namespace }: Listed): ObjectId {
  return id(apiVersion, kind, name, namespace);
}

/** Of each component, that it went before one that needs it was gone. */
function tooEarly(components: readonly Component[], order: readonly string[]): readonly string[] {
  const places = (name: string) => {
    const objects = components.find((component) => component.name === name)?.objects ?? [];
    const found = objects.map((object) => order.indexOf(`${pluralOf(object.kind)} ${object.name}`));
    // A namespace with something in it stays.
    return found.filter((place) => place >= 0);
  };
  return components.flatMap(({ name, dependsOn }) =>
    dependsOn
      .filter((needed) => !(Math.max(...places(name)) < Math.min(...places(needed))))
      .map((needed) => `${needed} before ${name}`),
  );
}

function pluralOf(kind: string): string {
  return `${kind.toLowerCase()}${/s$/.test(kind) ? 'es' : 's'}`.replace(/ys$/, 'ies');
}

function configMap(name: string, namespace: string, labels: Readonly<Record<string, string>> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels }, data: { a: 'b' } };
}
