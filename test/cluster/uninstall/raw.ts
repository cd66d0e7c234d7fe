import type { KubeObject } from '../../support/objects.ts';

interface RawComponent {
  readonly name: string;
  readonly namespace: string;
  readonly objects?: readonly KubeObject[];
  readonly helm?: { readonly release: string; readonly chart: string };
  readonly persistentVolumeClaims?: 'Retain' | 'Delete';
}

export interface RawInstallation {
  readonly name: string;
  readonly state: 'Installed' | 'Deleted';
  readonly strategy?: 'Ordered' | 'Quick';
  readonly timeoutSeconds?: number;
  readonly components: readonly RawComponent[];
}

/** The resource as it is compiled, for components that come to the cluster in another way than from git. */
export function rawInstallation(options: RawInstallation): KubeObject {
  const { name, state, strategy = 'Ordered', timeoutSeconds = 600, components } = options;
  return {
    apiVersion: 'quiesce.dev/v1alpha1',
    kind: 'Installation',
    metadata: { name },
    spec: {
      cluster: 'main',
      state,
      deletion: { strategy, timeoutSeconds, confirm: true },
      components: components.map(({ objects = [], helm, persistentVolumeClaims = 'Retain', ...component }) => ({
        ...component,
        dependsOn: [],
        wave: 0,
        deletion: { persistentVolumeClaims, namespace: 'DeleteWhenEmpty' },
        ...(helm !== undefined && { helm }),
        objects: objects.map(({ apiVersion, kind, metadata }) => ({
          apiVersion,
          kind,
          ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
          name: metadata.name,
        })),
      })),
    },
  };
}

/** With the labels that everything rendered has. */
export function rendered(object: KubeObject, installation: string, component: string): KubeObject {
  const labels = { 'quiesce.dev/installation': installation, 'quiesce.dev/component': component };
  return { ...object, metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...labels } } };
}
