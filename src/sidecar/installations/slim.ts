import { type Slim, versionOf } from '../kube/cache.ts';
import type { RawObject } from '../kube/watch.ts';
import type { ComponentSpec, InstallationSpec, ObservedInstallation } from './observation.ts';
import type { InstallationStatus } from './status.ts';

export type SlimInstallation = Slim & Omit<ObservedInstallation, 'resourceVersion'>;

/** By kubectl, to take a deletion with kubectl back; whatever its value. The same as for claims. */
const withdrawal = 'quiesce.dev/withdraw-deletion';

interface RawInstallation {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly generation?: number;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
  readonly spec: Omit<InstallationSpec, 'components'> & { readonly components?: readonly RawComponent[] };
  readonly status?: InstallationStatus;
}

type RawComponent = Omit<ComponentSpec, 'dependsOn' | 'deletion'> &
  Partial<Pick<ComponentSpec, 'dependsOn'>> & {
    readonly deletion: Partial<ComponentSpec['deletion']> &
      Pick<ComponentSpec['deletion'], 'persistentVolumeClaims' | 'namespace'>;
  };

/** Lists that are empty are not there at all. */
export function slimInstallation(object: RawObject): SlimInstallation {
  const { metadata, spec, status } = object as RawInstallation;
  const { deletionTimestamp } = metadata;
  return {
    name: metadata.name,
    version: versionOf({ metadata }),
    uid: metadata.uid,
    generation: metadata.generation ?? 0,
    ...(deletionTimestamp !== undefined && { deletedAt: Date.parse(deletionTimestamp) }),
    finalizers: metadata.finalizers ?? [],
    isWithdrawn: metadata.annotations?.[withdrawal] !== undefined,
    spec: { state: spec.state, deletion: spec.deletion, components: (spec.components ?? []).map(slimComponent) },
    ...(status !== undefined && { status }),
  };
}

function slimComponent({
  name,
  namespace,
  dependsOn = [],
  wave,
  deletion,
  helm,
  objects,
}: RawComponent): ComponentSpec {
  const hooks = (which: 'preDelete' | 'delete' | 'postDelete') =>
    (deletion[which] ?? []).map((hook) => ({ ...hook, command: hook.command ?? [] }));
  return {
    name,
    namespace,
    dependsOn,
    wave,
    deletion: {
      preDelete: hooks('preDelete'),
      delete: hooks('delete'),
      postDelete: hooks('postDelete'),
      sweep: deletion.sweep ?? [],
      persistentVolumeClaims: deletion.persistentVolumeClaims,
      namespace: deletion.namespace,
    },
    ...(helm !== undefined && { helm: { release: helm.release } }),
    ...(objects !== undefined && { objects }),
  };
}
