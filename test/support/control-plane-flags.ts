/** The arguments of each program. Every program runs in the sandbox's folder, and paths are relative to it. */

// A file named `etcd:1` in the folder: etcd wants host and port even of a socket. Sockets need no free ports, and
// nobody else on the machine reaches the data past the API server.
const etcdSocket = 'unix://etcd:1';
const etcdPeerSocket = 'unix://etcd:2';

export const files = {
  certificates: 'certificates',
  /** Self-signed by the API server at its first start: its own certificate, then the authority's. */
  certificate: 'certificates/apiserver.crt',
  certificateKey: 'certificates/apiserver.key',
  tokens: 'tokens.csv',
  serviceAccountKey: 'service-accounts.key',
} as const;

export const etcdFlags: readonly string[] = [
  '--data-dir=etcd-data',
  '--unsafe-no-fsync',
  '--log-level=warn',
  `--listen-client-urls=${etcdSocket}`,
  `--advertise-client-urls=${etcdSocket}`,
  `--listen-peer-urls=${etcdPeerSocket}`,
  `--initial-advertise-peer-urls=${etcdPeerSocket}`,
  `--initial-cluster=default=${etcdPeerSocket}`,
];

export function apiserverFlags(port: number): readonly string[] {
  return [
    `--etcd-servers=${etcdSocket}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    // A loopback address is refused here, and the default is the address of the default route: a machine without a
    // network has none. Nothing of a test connects to this one.
    '--advertise-address=192.0.2.1',
    `--cert-dir=${files.certificates}`,
    `--token-auth-file=${files.tokens}`,
    '--authorization-mode=RBAC',
    '--allow-privileged',
    '--service-cluster-ip-range=10.96.0.0/16',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${files.serviceAccountKey}`,
    `--service-account-signing-key-file=${files.serviceAccountKey}`,
    '--profiling=false',
  ];
}

export function controllerManagerFlags(kubeconfig: string): readonly string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    '--secure-port=0',
    '--leader-elect=false',
    '--use-service-account-credentials',
    `--service-account-private-key-file=${files.serviceAccountKey}`,
    `--root-ca-file=${files.certificate}`,
    // How soon the taints of a node follow its conditions; the default is 5 s.
    '--node-monitor-period=1s',
    // The default of 20 requests a second is for large clusters' sake; here it is only waiting.
    '--kube-api-qps=300',
    '--kube-api-burst=600',
    '--profiling=false',
  ];
}

export function schedulerFlags(kubeconfig: string): readonly string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--secure-port=0',
    '--leader-elect=false',
    '--kube-api-qps=300',
    '--kube-api-burst=600',
  ];
}
