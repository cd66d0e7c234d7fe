import { beforeAll, describe, expect, it } from 'vitest';
import { id, type KubeObject, list, read } from '../../support/objects.ts';
import { replacing } from './campus.ts';
import { renderedIn } from './rendered.ts';
import { type Line, minutes, type Scenario, type Step } from './scenario.ts';

export const claimFile = (name: string) => `state/claims/${name}.yaml`;

/** Maintenance that begins and ends, claims that come, sleep and wake, are exposed and no longer: each push changes several things. */
export function changesArrive(scenario: Scenario): void {
  describe('one push', () => firstPush(scenario));
  describe('the next push', () => secondPush(scenario));
}

const borealisFiles = ['state/clusters/borealis.yaml', 'state/shutdowns/borealis.yaml'] as const;
const sleeper = claimFile('library-search');
const controlPlane = 'atlas Deployment vcluster-library-search/library-search';
const texts = new Map<string, string>();
const maintained = / borealis (?:MaintenanceBlock|ClusterShutdown) /;
/** What the sidecar may do for a shutdown comes and goes with it. */
const permitted = / borealis (?:Cluster)?Role(?:Binding)? (?:\S+\/)?quiesce-/;

function firstPush({ line, step }: Scenario): void {
  let came: Step;
  beforeAll(async () => {
    for (const file of [...borealisFiles, sleeper]) texts.set(file, line().world.campus.read(file));
    came = await step({
      'state/clusters/atlas-metal.yaml': replacing(['      - 10.20.1.104\n', '      - 10.20.1.101\n']),
      ...Object.fromEntries(borealisFiles.map((file) => [file, null])),
      [claimFile('exam-grading')]: replacing(['expose: false', 'expose: true']),
      // Without its schedule: what the lifecycle runner does later must not depend on the time of day.
      [claimFile('web-engineering')]: (text) =>
        replacing(['\nspec:\n', '\nspec:\n  expose: false\n'])(text).replace(/ {2}sleepSchedules:[\s\S]*$/, ''),
      [claimFile('new-arrival')]: newClaim,
      [sleeper]: replacing(['\nspec:\n', '\nspec:\n  state: Sleeping\n']),
    });
  }, minutes(5));

  it('a changed maintenance block arrives, and no Node is touched', async () => {
    expect(filesIn(came, 'atlas/maintenance/')).toEqual(['~ atlas/maintenance/atlas-metal.k8s.yaml']);
    expect(objectsAbout(came, / atlas (?:MaintenanceBlock|Node) /)).toEqual(['~ atlas MaintenanceBlock atlas-metal']);
    const block = id('quiesce.dev/v1alpha1', 'MaintenanceBlock', 'atlas-metal');
    const { spec } = (await read<Block>(line().world.hosts.atlas.access, block)) ?? {};
    expect(spec?.blocks[0]).toBe('10.20.1.101');
    expect(spec?.nodes.map(({ address }) => address)).toContain('10.20.1.101');
    expect(spec?.nodes.map(({ address }) => address)).not.toContain('10.20.1.104');
  });

  it('maintenance ends when the last cluster config is gone', () => {
    expect(objectsAbout(came, maintained)).toEqual([
      '- borealis ClusterShutdown borealis',
      '- borealis MaintenanceBlock borealis',
    ]);
  });

  it('a claim that is exposed has an Ingress, and one that is exposed no more has none', () => {
    expect(objectsAbout(came, /exam-grading|web-engineering/)).toEqual([
      '+ atlas Ingress vcluster-exam-grading/exam-grading',
      '- atlas Ingress vcluster-web-engineering/web-engineering',
      '~ atlas VClusterClaim exam-grading',
      '~ atlas VClusterClaim web-engineering',
    ]);
  });

  it('a new claim comes up with everything that is rendered for it', () => {
    expect(filesIn(came, 'atlas/claims/new-arrival/')).toEqual(['+ atlas/claims/new-arrival/claim.k8s.yaml']);
    const rendered = renderedIn(`${line().world.out}/atlas/claims/new-arrival`);
    const expected = [...rendered, id('v1', 'PersistentVolumeClaim', 'data-new-arrival-0', 'vcluster-new-arrival')];
    const objects = objectsAbout(came, /new-arrival/);
    expect(objects).toHaveLength(expected.length);
    expect(objects.filter((change) => !change.startsWith('+ atlas '))).toEqual([]);
  });

  it('a claim that is to sleep has a control plane of no replicas, and is otherwise as it was', async () => {
    expect(objectsAbout(came, /library-search/)).toEqual([`~ ${controlPlane}`, '~ atlas VClusterClaim library-search']);
    expect(await replicas(line())).toBe(0);
  });

  it('and nothing else changes', () => {
    const claims = /new-arrival|exam-grading|web-engineering|library-search/;
    const known = [claims, / atlas MaintenanceBlock /, maintained, permitted];
    expect(came.objects.filter((change) => !known.some((what) => what.test(change)))).toEqual([]);
  });
}

function secondPush({ line, step }: Scenario): void {
  let came: Step;
  beforeAll(async () => {
    came = await step({
      'state/settings.yaml': replacing(['apps.example.edu', 'apps.example.org']),
      ...Object.fromEntries(texts),
    });
  }, minutes(5));

  it('maintenance begins when the cluster config is back', () => {
    expect(objectsAbout(came, maintained)).toEqual([
      '+ borealis ClusterShutdown borealis',
      '+ borealis MaintenanceBlock borealis',
    ]);
  });

  it('the claim that slept is woken to its full count', async () => {
    expect(await replicas(line())).toBe(2);
  });

  it('a new base domain is the host of every exposed claim, and nothing else changes', async () => {
    const ingresses = await list<Ingress>(line().world.hosts.atlas.access, ['networking.k8s.io/v1', 'Ingress']);
    const exposed = ingresses.filter(({ metadata }) => metadata.labels?.app === 'vcluster');
    const hosts = exposed.map(({ spec }) => spec.rules[0]?.host).sort();
    expect(hosts).toEqual(exposed.map(({ metadata }) => `${metadata.name}.apps.example.org`).sort());
    const names = exposed.map(({ metadata }) => metadata.name);
    expect(objectsAbout(came, / atlas /)).toEqual(
      [
        ...names.map((name) => `~ atlas Ingress vcluster-${name}/${name}`),
        ...[...names, 'hackathon-spring'].map((name) => `~ atlas VClusterClaim ${name}`),
        `~ ${controlPlane}`,
      ].sort((a, b) => (a < b ? -1 : 1)),
    );
  });
}

async function replicas({ world }: Line): Promise<number | undefined> {
  const deployment = id('apps/v1', 'Deployment', 'library-search', 'vcluster-library-search');
  return (await read<Scaled>(world.hosts.atlas.access, deployment))?.spec.replicas;
}

function filesIn({ files }: Step, folder: string): readonly string[] {
  return files.filter((file) => file.slice(2).startsWith(folder));
}

function objectsAbout({ objects }: Step, what: RegExp): readonly string[] {
  return objects.filter((change) => what.test(change));
}

interface Block extends KubeObject {
  readonly spec: { readonly blocks: readonly string[]; readonly nodes: readonly { readonly address: string }[] };
}

interface Scaled extends KubeObject {
  readonly spec: { readonly replicas: number };
}

interface Ingress extends KubeObject {
  readonly spec: { readonly rules: readonly { readonly host: string }[] };
}

const newClaim = `apiVersion: quiesce.dev/v1alpha1
kind: VClusterClaim
metadata:
  name: new-arrival
spec:
  owner:
    name: Ada Example
    email: ada@example.edu
`;
