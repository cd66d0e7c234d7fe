import { createHash } from 'node:crypto';
import { App, Chart } from 'cdk8s';
import { ClaimObjects } from '../../constructs/claim.ts';
import { type ClaimProps, claimProps } from '../../constructs/claim-props.ts';
import type { PlainObject } from '../../constructs/plain-object.ts';
import type { Claim, Settings } from '../../src/resolve/state.ts';

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

const ingress: Settings['ingress'] = {
  className: 'nginx',
  annotations: { 'cert-manager.io/cluster-issuer': 'letsencrypt' },
  tls: true,
};

export function settingsWith(changes: Partial<Settings['ingress']> = {}): Settings {
  return { ingress: { ...ingress, ...changes } } as Settings;
}

/** A claim as `resolve` gives it, exposed, with one replica and an embedded database. */
export function claimWith(changes: Partial<Claim> = {}): Claim {
  const name = changes.name ?? 'ada';
  return {
    origin: { file: `state/claims/${name}.yaml` } as Claim['origin'],
    name,
    namespace: `vcluster-${name}`,
    cluster: 'lab',
    owners: [{ name: 'Ada Lovelace', email: 'ada@example.edu' }],
    state: 'Running',
    version: '0.30.1',
    replicas: 1,
    backingStore: 'embeddedDatabase',
    resources: { requests: { cpu: '200m', memory: '256Mi' }, limits: { memory: '2Gi' } },
    storage: { size: '5Gi' },
    exposure: { host: `${name}.apps.example.edu`, service: `http-x-default-x-${name}` },
    config: 'controlPlane: {}\n',
    hostSync: [],
    expiry: { after: 7_776_000, grace: 5_184_000 },
    schedules: [],
    protected: false,
    identity: 'd0c5',
    ...changes,
  };
}

export function propsOf(claim: Claim, settings: Settings = settingsWith()): ClaimProps {
  return claimProps(claim, settings, sha256);
}

export function rendered(props: ClaimProps): PlainObject[] {
  const chart = new Chart(new App(), 'unit');
  new ClaimObjects(chart, 'claim', props);
  return chart.toJson() as PlainObject[];
}

export function render(claim: Claim, settings: Settings = settingsWith()): PlainObject[] {
  return rendered(propsOf(claim, settings));
}

export function pick(objects: readonly PlainObject[], kind: string, name?: string): PlainObject {
  const found = objects.find((object) => object.kind === kind && (name === undefined || object.metadata.name === name));
  if (found === undefined)
    throw new Error(`no ${kind} ${name ?? ''} among ${objects.map((object) => object.kind).join(', ')}`);
  return found;
}

export function names(objects: readonly PlainObject[]): string[] {
  return objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
}
