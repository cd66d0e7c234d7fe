import * as k8s from 'cdk8s-plus-28/lib/imports/k8s.js';
import type { Storage } from '../src/resolve/state.ts';
import { quantities } from './quantities.ts';

/**
 * A StatefulSet whose volume claim templates say what they are. The API server adds `apiVersion` and `kind` there, and
 * the list is compared as a whole, so under server-side apply Argo CD shows their absence as a difference for ever.
 * The typed template has no such fields, hence this class.
 */
export class DataStatefulSet extends k8s.KubeStatefulSet {
  override toJson(): unknown {
    const json: StatefulSetJson = super.toJson();
    const typed = json.spec.volumeClaimTemplates?.map((template) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      ...template,
    }));
    return { ...json, spec: { ...json.spec, ...(typed !== undefined && { volumeClaimTemplates: typed }) } };
  }
}

interface StatefulSetJson {
  readonly spec: { readonly volumeClaimTemplates?: readonly object[] };
}

/** What every StatefulSet that holds data has in common. The claims outlive it, asleep or deleted: they are the data. */
export function dataVolumeClaims(
  storage: Storage,
): Pick<k8s.StatefulSetSpec, 'persistentVolumeClaimRetentionPolicy' | 'volumeClaimTemplates'> {
  return {
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: quantities({ storage: storage.size }) },
          ...(storage.className !== undefined && { storageClassName: storage.className }),
          volumeMode: 'Filesystem',
        },
      },
    ],
  };
}
