import type { Access } from '../support/access.ts';
import { setVolumesInUse } from '../support/nodes.ts';
import { type KubeObject, list } from '../support/objects.ts';
import type { FoundPod } from './look.ts';

/** What kubelets tell of volumes: in use as long as a pod has them, and until their driver has unmounted them. */
export interface Mounts {
  keep(pods: readonly FoundPod[]): Promise<void>;
}

export const noMounts: Mounts = { keep: async () => {} };

export function openMounts(access: Access, unmountSeconds: number): Mounts {
  /** By node, then by volume: when it was in use last. */
  const used = new Map<string, Map<string, number>>();
  const told = new Map<string, string>();
  return {
    keep: async (pods) => {
      const handles = await handlesByClaim(access);
      const now = performance.now();
      for (const { node, namespace, claims, phase } of pods) {
        if (node === undefined || phase === 'Pending') continue;
        for (const claim of claims) {
          const handle = handles.get(`${namespace}/${claim}`);
          if (handle === undefined) continue;
          const onNode = used.get(node) ?? new Map<string, number>();
          used.set(node, onNode.set(handle, now));
        }
      }
      for (const [node, volumes] of used) {
        for (const [volume, at] of volumes) if (now - at > unmountSeconds * 1000) volumes.delete(volume);
        const names = [...volumes.keys()].sort();
        if (told.get(node) === names.join()) continue;
        await setVolumesInUse(access, node, names);
        told.set(node, names.join());
      }
    },
  };
}

interface VolumeObject extends KubeObject {
  readonly spec: {
    readonly claimRef?: { readonly namespace: string; readonly name: string };
    readonly csi?: { readonly driver: string; readonly volumeHandle: string };
  };
}

async function handlesByClaim(access: Access): Promise<ReadonlyMap<string, string>> {
  const volumes = await list<VolumeObject>(access, ['v1', 'PersistentVolume']);
  return new Map(
    volumes.flatMap(({ spec: { claimRef, csi } }) =>
      claimRef === undefined || csi === undefined
        ? []
        : [[`${claimRef.namespace}/${claimRef.name}`, `kubernetes.io/csi/${csi.driver}^${csi.volumeHandle}`] as const],
    ),
  );
}
