import type {
  ComponentSpec,
  Observation,
  ObservedInstallation,
} from '../../../src/sidecar/installations/observation.ts';
import { driftPlanOf, uninstallPlanOf } from '../../../src/sidecar/installations/plan.ts';
import type { UninstallObservation } from '../../../src/sidecar/uninstall/observation.ts';
import { idFrom, now } from '../uninstall/seen.ts';

export function componentSpec(name: string, differs: Partial<ComponentSpec> = {}): ComponentSpec {
  return {
    name,
    namespace: 'shop',
    dependsOn: [],
    wave: 0,
    deletion: {
      preDelete: [],
      delete: [],
      postDelete: [],
      sweep: [],
      persistentVolumeClaims: 'Retain',
      namespace: 'DeleteWhenEmpty',
    },
    objects: [idFrom(`ConfigMap shop/${name}`)],
    ...differs,
  };
}

type Differs = Partial<Omit<ObservedInstallation, 'spec'>> & {
  readonly state?: 'Installed' | 'Deleted';
  readonly components?: readonly ComponentSpec[];
};

export function installation({ state = 'Installed', components, ...differs }: Differs = {}): ObservedInstallation {
  return {
    name: 'shop',
    uid: '01234567-89ab',
    resourceVersion: '7',
    generation: 3,
    finalizers: ['quiesce.dev/uninstall'],
    isWithdrawn: false,
    spec: {
      state,
      deletion: { strategy: 'Ordered', timeoutSeconds: 3600, confirm: false },
      components: components ?? [componentSpec('front')],
    },
    ...differs,
  };
}

/** With the plan that goes with it. */
export function observed(of: ObservedInstallation, look?: UninstallObservation, seconds = 3600): Observation {
  const plan = of.spec.state === 'Deleted' ? uninstallPlanOf(of) : driftPlanOf(of, []);
  return {
    installation: of,
    ...(plan !== undefined && { plan }),
    ...(look !== undefined && { look }),
    unchangedSince: now - seconds * 1000,
  };
}
