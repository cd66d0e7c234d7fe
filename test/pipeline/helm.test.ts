import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findAssets } from '../controlplane/assets.ts';
import { onPath } from '../controlplane/path-lookup.ts';
import { openState, type StateFolder } from '../support/repo.ts';
import { settings } from '../support/state.ts';

/** Helm 4 and Helm 3 where the control plane was built, and whatever is on the path. */
const built = await findAssets(process.env);
const found = await onPath('helm', process.env);
const helms: readonly (readonly [string, string])[] = [
  ...(built.kind === 'ready'
    ? ([
        ['Helm 4', built.assets.helm4],
        ['Helm 3', built.assets.helm3],
      ] as const)
    : []),
  ...(found === undefined ? [] : ([['helm on the path', [found]]] as const)),
].map(([name, [command = '']]) => [name, command]);

let state: StateFolder;
beforeEach(() => {
  state = openState({ ...chart, 'state/claims/ada.yaml': claim('Running') });
});
afterEach(() => {
  delete process.env.QUIESCE_HELM;
  state.close();
});

const file = 'out/main/claims/ada/claim.k8s.yaml';

describe('without Helm', () => {
  it('a chart is refused, and says what is missing', async () => {
    process.env.QUIESCE_HELM = '/nowhere/helm';
    const result = await state.synth();
    expect(result).toMatchObject({
      problems: [
        {
          code: 'helm-missing',
          message: 'The chart state/charts/vcluster is rendered with Helm, and no helm command was found.',
          remedy: expect.stringContaining('QUIESCE_HELM'),
          place: { file: 'state/claims/ada.yaml' },
        },
      ],
    });
    expect(state.has('out')).toBe(false);
  });

  it('a state without charts asks for none', async () => {
    process.env.QUIESCE_HELM = '/nowhere/helm';
    state.write('state/claims/ada.yaml', claim('Running').replace(/ {2}chart:[\s\S]*/, ''));
    expect(await state.compile()).toContain('+ main/claims/ada/claim.k8s.yaml');
  });
});

describe.skipIf(helms.length === 0).each(helms)('with %s', (_, command) => {
  beforeEach(() => {
    process.env.QUIESCE_HELM = command;
  });

  it('a claim is what its chart renders, with the same sleep, exposure and protection laid over it', async () => {
    await state.compile();
    const awake = state.read(file);
    expect(awake).toMatch(/^kind: StatefulSet$[\s\S]*^ {2}replicas: 3$/m);
    expect(awake).toMatch(/^ {2}- host: ada.apps.example.edu$[\s\S]*name: http-x-default-x-ada$/m);
    expect(awake).toMatch(/^ {2}colour: "on"$/m);
    expect(awake).not.toContain('name: a-test');
    expect(awake.match(/Prune=false,Delete=false/g)?.length).toBeGreaterThanOrEqual(4);
    state.write('state/claims/ada.yaml', claim('Sleeping'));
    await state.compile();
    expect(state.read(file)).toMatch(/loft.sh\/paused-replicas: "3"$[\s\S]*^ {2}replicas: 0$/m);
    state.write('state/claims/ada.yaml', claim('Running'));
    await state.compile();
    expect(state.read(file)).toBe(awake);
  });

  it('a claim is rendered again when its chart changes, and only then', async () => {
    await state.compile();
    expect(await state.compile()).toEqual([]);
    state.write(
      'state/charts/vcluster/templates/more.yaml',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: more }\n',
    );
    expect(await state.compile()).toContain('~ main/claims/ada/claim.k8s.yaml');
    expect(state.read(file)).toMatch(/^ {2}name: more\n {2}namespace: vcluster-ada$/m);
  });

  it('a component may come from a chart', async () => {
    state.write('state/installations/stack.yaml', installation);
    await state.compile();
    const component = state.read('out/main/installations/stack/web/component.k8s.yaml');
    expect(component).toMatch(/^kind: StatefulSet$/m);
    expect(component).toMatch(/^ {4}quiesce.dev\/component: web$/m);
  });

  it('says what Helm says when a chart cannot be rendered, and writes nothing', async () => {
    await state.compile();
    const before = state.out();
    state.write('state/charts/vcluster/templates/broken.yaml', '{{ fail "replicas must be odd" }}\n');
    expect(await state.refusal()).toEqual([
      expect.stringMatching(/^helm-failed: helm template of state\/charts\/vcluster failed: .*replicas must be odd/),
    ]);
    expect(state.out()).toEqual(before);
  });

  it('refuses a chart that runs no virtual cluster: it could never sleep', async () => {
    state.remove('state/charts/vcluster/templates/workload.yaml');
    expect(await state.refusal()).toEqual([expect.stringMatching(/^chart-without-control-plane: /)]);
  });
});

function claim(wanted: string): string {
  return `apiVersion: quiesce.dev/v1alpha1
kind: VClusterClaim
metadata:
  name: ada
spec:
  owner: { name: Ada, email: ada@example.edu }
  state: ${wanted}
  chart:
    chart: state/charts/vcluster
    values: { replicas: 3, colour: "on" }
`;
}

const installation = `apiVersion: quiesce.dev/v1alpha1
kind: Installation
metadata:
  name: stack
spec:
  cluster: main
  components:
    - name: web
      namespace: web
      source: { helm: { chart: state/charts/vcluster, values: { colour: red } } }
`;

const chart = {
  'state/settings.yaml': settings(),
  'state/charts/vcluster/Chart.yaml': 'apiVersion: v2\nname: vcluster\nversion: 0.30.1\n',
  'state/charts/vcluster/values.yaml': 'replicas: 1\ncolour: none\n',
  'state/charts/vcluster/templates/workload.yaml': `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ .Release.Name }}
  namespace: {{ .Release.Namespace }}
  labels: { app: vcluster, release: {{ .Release.Name }} }
spec:
  replicas: {{ .Values.replicas }}
  serviceName: {{ .Release.Name }}
  selector:
    matchLabels: { app: vcluster, release: {{ .Release.Name }} }
  template:
    metadata:
      labels: { app: vcluster, release: {{ .Release.Name }} }
    spec:
      containers: [{ name: syncer, image: "registry.example.edu/vcluster:0.30.1" }]
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
spec:
  selector: { app: vcluster }
  ports: [{ port: 443 }]
`,
  'state/charts/vcluster/templates/config.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-config
data:
  colour: {{ .Values.colour | quote }}
`,
  'state/charts/vcluster/templates/tests/test.yaml': `apiVersion: v1
kind: Pod
metadata:
  name: a-test
  annotations: { helm.sh/hook: test }
spec:
  containers: [{ name: test, image: "registry.example.edu/test:1" }]
`,
};
