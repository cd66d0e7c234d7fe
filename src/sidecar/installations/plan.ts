import type { ObjectId, PlannedComponent, UninstallPlan } from '../uninstall/plan.ts';
import type { ComponentSpec, ObservedInstallation } from './observation.ts';
import { uninstallPhases } from './status.ts';

/** As everything that is rendered for an installation carries them (`constructs/ownership.ts`). */
const installationLabel = 'quiesce.dev/installation';
const componentLabel = 'quiesce.dev/component';

/** Components side by side. */
const parallel = 10;

/** Everything of it, in reverse order of dependency. */
export function uninstallPlanOf(installation: ObservedInstallation): UninstallPlan {
  const { name, uid, generation, spec } = installation;
  const components = spec.components.map((component) => plannedComponent(name, component, spec.components));
  return {
    subject: { kind: 'Installation', name, uid },
    run: runOf(installation),
    strategy: spec.deletion.strategy,
    confirmed: spec.deletion.confirm,
    timeoutSeconds: spec.deletion.timeoutSeconds,
    generation,
    parallel,
    components: [...components, rest(name, components)],
  };
}

/** A run goes on over changes of git. It is over when the installation has been something else in between. */
function runOf({ uid, generation, status }: ObservedInstallation): string {
  const isUnderWay = uninstallPhases.includes(status?.phase) && status?.run !== undefined;
  return isUnderWay ? status.run : `${uid.slice(0, 8)}-${generation}`;
}

function plannedComponent(
  installation: string,
  component: ComponentSpec,
  all: readonly ComponentSpec[],
): PlannedComponent {
  const { name, namespace, deletion, helm, objects = [] } = component;
  return {
    name,
    after: all.filter(({ dependsOn }) => dependsOn.includes(name)).map((dependent) => dependent.name),
    namespace,
    own: [{ labels: { [installationLabel]: installation, [componentLabel]: name } }],
    named: [],
    listed: objects,
    keep: { listed: [], own: [] },
    sweeps: deletion.sweep,
    volumeClaims: [],
    persistentVolumeClaims: deletion.persistentVolumeClaims,
    namespaces: deletion.namespace,
    hooks: { preDelete: deletion.preDelete, delete: deletion.delete, postDelete: deletion.postDelete },
    ...(helm !== undefined && { release: { namespace, name: helm.release } }),
  };
}

/** Objects of components that left git before: last, since nobody knows what they depend on. Never with their data. */
function rest(installation: string, others: readonly PlannedComponent[]): PlannedComponent {
  return {
    ...leftGit(installation),
    after: others.map(({ name }) => name),
    keep: { listed: [], own: others.flatMap(({ own }) => own) },
  };
}

/** Of its name no component can be: it is no DNS label. */
const restName = 'left git';

function leftGit(installation: string): PlannedComponent {
  return {
    name: restName,
    after: [],
    namespace: '',
    own: [{ labels: { [installationLabel]: installation } }],
    named: [],
    listed: [],
    keep: { listed: [], own: [] },
    renderedOnly: true,
    sweeps: [],
    volumeClaims: [],
    persistentVolumeClaims: 'Retain',
    namespaces: 'DeleteWhenEmpty',
    hooks: { preDelete: [], delete: [], postDelete: [] },
  };
}

/**
 * What git does not list any more, while the rest stays: every rendered object is protected from pruning, so it is for
 * us to remove. Not what any other Installation lists: a component may have moved there. Undefined where it is not
 * known what git lists.
 */
export function driftPlanOf(
  { name, uid, spec }: ObservedInstallation,
  listedByOthers: readonly ObjectId[],
): UninstallPlan | undefined {
  const listed = spec.components.flatMap(({ objects }) => objects ?? []);
  if (listed.length === 0 || spec.components.some(({ objects }) => objects === undefined)) return undefined;
  return {
    subject: { kind: 'Installation', name, uid },
    run: 'drift',
    strategy: 'Ordered',
    confirmed: false,
    timeoutSeconds: Number.MAX_SAFE_INTEGER,
    parallel: 1,
    components: [{ ...leftGit(name), keep: { listed: [...listed, ...listedByOthers], own: [] } }],
  };
}
