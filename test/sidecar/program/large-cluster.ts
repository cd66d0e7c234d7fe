import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What an API server says of a large cluster, with objects as large as real ones: a Pod with the fields that admission
 * and controllers add, and its managed fields, is some 8 KB. It answers reads and takes the Lease; nothing ever changes
 * unless `touch` says so.
 */
export interface LargeCluster {
  readonly url: string;
  readonly bytesSent: () => number;
  readonly requests: readonly string[];
  /** So many Pods are reported as changed to every watch of Pods. */
  touch(pods: number): void;
  /** Everything was taken off our hands. */
  isDrained(): boolean;
  stop(): Promise<void>;
}

export interface LargeClusterOptions {
  readonly nodes: number;
  readonly pods: number;
}

export async function startLargeCluster(options: LargeClusterOptions): Promise<LargeCluster> {
  const watches = new Set<ServerResponse>();
  const requests: string[] = [];
  let bytes = 0;
  const send = (answer: ServerResponse, text: string) => {
    bytes += text.length;
    return answer.write(text);
  };
  const server = createServer((asked, answer) => {
    requests.push(`${asked.method} ${asked.url}`);
    void respond(asked, answer, { options, watches, send });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytesSent: () => bytes,
    requests,
    touch: (count) => {
      for (let at = 0; at < count; at += 1) {
        const object = touched(pod(at, options));
        for (const watch of watches) send(watch, `${JSON.stringify({ type: 'MODIFIED', object })}\n`);
      }
    },
    isDrained: () => [...watches].every((watch) => watch.writableLength === 0),
    stop: () => stop(server),
  };
}

let version = 1_000_000;

function touched({ metadata, ...rest }: ReturnType<typeof pod>) {
  version += 1;
  const labels = { ...metadata.labels, touched: 'yes' };
  return { ...rest, metadata: { ...metadata, resourceVersion: String(version), labels } };
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await once(server.close(), 'close');
}

interface Surroundings {
  readonly options: LargeClusterOptions;
  readonly watches: Set<ServerResponse>;
  send(answer: ServerResponse, text: string): boolean;
}

async function respond(asked: IncomingMessage, answer: ServerResponse, { options, watches, send }: Surroundings) {
  const url = new URL(asked.url ?? '/', 'http://localhost');
  const plural = url.pathname.split('/').at(-1) ?? '';
  answer.setHeader('content-type', 'application/json');
  if (url.pathname.includes('/leases')) {
    asked.resume();
    answer.writeHead(asked.method === 'GET' ? 404 : 201);
    answer.end(JSON.stringify(lease));
    return;
  }
  if (url.searchParams.get('watch') === 'true') {
    answer.flushHeaders();
    if (plural === 'pods') watches.add(answer);
    answer.once('close', () => watches.delete(answer));
    return;
  }
  const limit = Number(url.searchParams.get('limit') ?? '1000000');
  const from = Number(url.searchParams.get('continue') ?? '0');
  const total = plural === 'pods' ? options.pods : plural === 'nodes' ? options.nodes : 0;
  const to = Math.min(from + limit, total);
  const next = to < total ? `,"continue":"${to}"` : '';
  send(answer, `{"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"900000"${next}},"items":[`);
  for (let at = from; at < to; at += 1) {
    const object = plural === 'pods' ? pod(at, options) : node(at);
    if (!send(answer, (at === from ? '' : ',') + JSON.stringify(object))) await once(answer, 'drain');
  }
  send(answer, ']}\n');
  answer.end();
}

const lease = {
  metadata: { name: 'quiesce-sidecar', resourceVersion: '1' },
  spec: { holderIdentity: 'large', leaseDurationSeconds: 3600 },
};

function uid(kind: number, at: number): string {
  return `00000000-0000-4000-${String(kind).padStart(4, '0')}-${String(at).padStart(12, '0')}`;
}

function node(at: number) {
  const name = `worker-${at}.cluster.example.edu`;
  const conditions = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].map((type) => ({
    type,
    status: type === 'Ready' ? 'True' : 'False',
    lastHeartbeatTime: '2026-03-01T09:00:00Z',
    lastTransitionTime: '2026-03-01T09:00:00Z',
    reason: 'KubeletReady',
    message: 'kubelet is posting ready status',
  }));
  const images = Array.from({ length: 50 }, (_, image) => ({
    names: [`registry.example.edu/team/image-${image}@sha256:${'a'.repeat(64)}`],
    sizeBytes: 123_456_789,
  }));
  return {
    metadata: {
      name,
      uid: uid(1, at),
      resourceVersion: String(100_000 + at),
      creationTimestamp: '2026-03-01T09:00:00Z',
      labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' },
      annotations: { 'node.alpha.kubernetes.io/ttl': '0', other: 'x'.repeat(300) },
      managedFields: managedFields(2000),
    },
    spec: { podCIDR: '10.1.0.0/24', providerID: `metal://${name}` },
    status: {
      addresses: [{ type: 'InternalIP', address: `10.${at >> 8}.${at & 255}.7` }],
      conditions,
      images,
      capacity: { cpu: '64', memory: '512Gi' },
    },
  };
}

function pod(at: number, { nodes }: LargeClusterOptions) {
  const app = `service-${at % 2000}`;
  const name = `${app}-7c9d8f6b5d-${at.toString(36).padStart(5, 'x')}`;
  const environment = Array.from({ length: 20 }, (_, index) => ({ name: `SETTING_${index}`, value: 'v'.repeat(40) }));
  return {
    metadata: {
      name,
      namespace: `team-${at % 300}`,
      uid: uid(2, at),
      resourceVersion: String(200_000 + at),
      creationTimestamp: '2026-03-01T09:00:00Z',
      labels: { app, 'pod-template-hash': '7c9d8f6b5d', 'app.kubernetes.io/part-of': `team-${at % 300}` } as Record<
        string,
        string
      >,
      annotations: { 'checksum/config': 'c'.repeat(64) },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: `${app}-7c9d8f6b5d`,
          uid: uid(3, at % 2000),
          controller: true,
        },
      ],
      managedFields: managedFields(3000),
    },
    spec: {
      nodeName: `worker-${at % nodes}.cluster.example.edu`,
      priority: 0,
      terminationGracePeriodSeconds: 30,
      containers: [{ name: 'main', image: `registry.example.edu/team/${app}:1.2.3`, env: environment }],
      tolerations: ['not-ready', 'unreachable'].map((condition) => ({
        key: `node.kubernetes.io/${condition}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
      volumes: [
        { name: 'token', projected: { sources: [] } },
        { name: 'data', persistentVolumeClaim: { claimName: `data-${at}` } },
      ],
    },
    status: {
      phase: 'Running',
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
        type,
        status: 'True',
        lastTransitionTime: '2026-03-01T09:00:00Z',
      })),
      containerStatuses: [
        { name: 'main', ready: true, imageID: `sha256:${'b'.repeat(64)}`, containerID: 'c'.repeat(70) },
      ],
    },
  };
}

function managedFields(size: number) {
  const fields: Record<string, object> = {};
  for (let used = 0; used < size; used += 25) fields[`f:field-${used}`] = {};
  return [{ manager: 'kube-controller-manager', operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: fields }];
}
