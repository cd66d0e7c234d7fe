import type { Access } from './access.ts';
import { kubeletLabel } from './behaviour.ts';
import { apply, id, type KubeObject, list, patch, read, remove } from './objects.ts';
import { waitFor } from './wait.ts';

export interface NodeOptions {
  readonly name: string;
  readonly internalIP: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly capacity?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly effect: string; readonly value?: string }[];
}

export interface NodeObject extends KubeObject {
  readonly spec?: {
    readonly unschedulable?: boolean;
    readonly taints?: readonly { readonly key: string; readonly effect: string; readonly value?: string }[];
  };
  readonly status?: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
    readonly volumesInUse?: readonly string[];
  };
}

const nodeId = (name: string) => id('v1', 'Node', name);

/** Waits until they are Ready and Pods can be scheduled to them, which takes a running kwok. */
export async function addNodes(access: Access, ...nodes: readonly NodeOptions[]): Promise<void> {
  for (const node of nodes) {
    const { name, internalIP, capacity = { cpu: '8', memory: '32Gi', pods: '110' } } = node;
    const addresses = [
      { type: 'InternalIP', address: internalIP },
      { type: 'Hostname', address: name },
    ];
    await apply(access, nodeObject(node));
    await patch(access, nodeId(name), { status: { addresses, capacity, allocatable: capacity } }, 'status');
  }
  for (const { name } of nodes) await waitForReady(access, name, 'True');
}

function nodeObject({ name, labels, taints }: NodeOptions): KubeObject {
  const ownLabels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' };
  const spec = taints === undefined ? {} : { taints };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { ...ownLabels, ...labels } }, spec };
}

/**
 * The kubelet is gone without a word. Its lease runs out after the controller manager's grace period; not to wait for
 * that, the condition it would get is set here, and the taints follow from it as they would then.
 */
export async function makeUnreachable(access: Access, name: string): Promise<void> {
  await makeSilent(access, name);
  await waitForTaint(access, name, 'node.kubernetes.io/unreachable');
}

/** The same without the taint, which the controller manager does not give when every node is gone. */
export async function makeSilent(access: Access, name: string): Promise<void> {
  await patch(access, nodeId(name), { metadata: { labels: { [kubeletLabel]: 'dead' } } });
  const node = await read<NodeObject>(access, nodeId(name));
  const conditions = (node?.status?.conditions ?? []).map((condition) => ({
    ...condition,
    status: 'Unknown',
    reason: 'NodeStatusUnknown',
    message: 'Kubelet stopped posting node status.',
  }));
  await patch(access, nodeId(name), { status: { conditions } }, 'status');
}

/** The kubelet lives and says Ready=False. */
export async function makeUnready(access: Access, name: string): Promise<void> {
  await patch(access, nodeId(name), { metadata: { labels: { [kubeletLabel]: 'unwell' } } });
  await waitForReady(access, name, 'False');
}

/** The kubelet is back, in good health. */
export async function makeReady(access: Access, name: string): Promise<void> {
  await patch(access, nodeId(name), { metadata: { labels: { [kubeletLabel]: null } } });
  await waitForReady(access, name, 'True');
}

/** After a reboot no container runs, so its kubelet confirms the end of every Pod that is Terminating. */
export async function restartNode(access: Access, name: string): Promise<void> {
  const pods = await list(access, ['v1', 'Pod'], { fieldSelector: `spec.nodeName=${name}` });
  const ended = pods.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  for (const { metadata } of ended) {
    await remove(access, id('v1', 'Pod', metadata.name, metadata.namespace), { gracePeriodSeconds: 0 });
  }
}

/** Names as a kubelet reports them: `kubernetes.io/csi/DRIVER^HANDLE`. kwok never touches the list. */
export async function setVolumesInUse(access: Access, name: string, volumesInUse: readonly string[]): Promise<void> {
  await patch(
    access,
    nodeId(name),
    { status: { volumesInUse: volumesInUse.length === 0 ? null : volumesInUse } },
    'status',
  );
}

async function waitForReady(access: Access, name: string, wanted: 'True' | 'False'): Promise<void> {
  await waitFor(`node ${name} to have Ready=${wanted}`, { seconds: 30 }, async () => {
    const node = await read<NodeObject>(access, nodeId(name));
    const status = node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? 'no condition Ready';
    const taints = (node?.spec?.taints ?? []).map(({ key }) => key);
    // The taint follows the condition a moment later, and until then no Pod is scheduled.
    const settled = status === wanted && taints.includes('node.kubernetes.io/not-ready') === (wanted === 'False');
    return settled ? { met: true } : { seen: `${status}, taints: ${taints.join(', ') || 'none'}` };
  });
}

async function waitForTaint(access: Access, name: string, key: string): Promise<void> {
  await waitFor(`node ${name} to be tainted ${key}:NoExecute`, { seconds: 30 }, async () => {
    const taints = (await read<NodeObject>(access, nodeId(name)))?.spec?.taints ?? [];
    const found = taints.some((taint) => taint.key === key && taint.effect === 'NoExecute');
    return found
      ? { met: true }
      : { seen: taints.map((taint) => `${taint.key}:${taint.effect}`).join(', ') || 'no taints' };
  });
}
