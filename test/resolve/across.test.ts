import { describe, expect, it } from 'vitest';
import type { ClaimFacts, ComponentFacts, Facts, InstallationFacts, RecordFacts } from '../../src/plan/facts.ts';
import { acrossFindings } from '../../src/resolve/across.ts';
import { said } from '../validate/kinds/said.ts';

const claimBase: ClaimFacts = {
  kind: 'claim',
  name: 'ada',
  cluster: 'atlas',
  state: 'Running',
  owners: ['team@example.edu'],
  version: '0.30.1',
  replicas: 1,
  backingStore: 'embeddedDatabase',
  storage: '5Gi',
  protected: false,
  expiry: 'Never',
  schedules: 0,
  identity: 'i-ada',
};

function claim(change: Partial<ClaimFacts> = {}): ClaimFacts {
  const name = change.name ?? 'ada';
  return { ...claimBase, identity: `i-${name}`, ...change };
}

function installation(change: Partial<InstallationFacts> = {}): InstallationFacts {
  return {
    kind: 'installation',
    name: 'shop',
    cluster: 'atlas',
    state: 'Installed',
    components: ['db', 'web'],
    ...change,
  };
}

function component(change: Partial<ComponentFacts> = {}): ComponentFacts {
  return {
    kind: 'component',
    installation: 'shop',
    name: 'db',
    cluster: 'atlas',
    namespace: 'shop',
    wave: 0,
    dependsOn: [],
    digest: 'd1',
    ...change,
  };
}

function record(name: string, data?: 'Deleted' | 'Kept'): RecordFacts {
  return { kind: 'record', name, ...(data !== undefined && { uninstalled: { at: '2026-01-01T00:00:00Z', data } }) };
}

function fileOf(facts: Facts): string {
  const folders = { claim: 'claims', installation: 'installations', component: 'installations', record: 'records' };
  const folder = facts.kind in folders ? folders[facts.kind as 'claim'] : 'clusters';
  const name = facts.kind === 'component' ? facts.installation : 'name' in facts ? facts.name : facts.cluster;
  return `state/${folder}/${name}.yaml`;
}

/** What is said when `before` was there and now there is `after`. */
function across(before: readonly Facts[], after: readonly Facts[], sources?: readonly string[]) {
  return acrossFindings({
    items: after.map((facts) => ({ facts, origin: { file: fileOf(facts), document: 0 } })),
    previous: before.map((facts) => ({ facts, source: fileOf(facts) })),
    ...(sources !== undefined && { sources: new Set(sources) }),
  });
}

describe('names and hosts', () => {
  const inFiles = (...items: readonly (readonly [file: string, facts: Facts])[]) =>
    acrossFindings({ items: items.map(([file, facts]) => ({ facts, origin: { file, document: 0 } })), previous: [] });

  it('two claims of one name are one too many, and the first is that of the first file', () => {
    const one = ['state/claims/a/ada.yaml', claim({ host: 'ada.example.edu' })] as const;
    const other = ['state/claims/b/ada.yaml', claim({ cluster: 'borealis', host: 'ada.example.edu' })] as const;
    const findings = inFiles(other, one);
    expect(said(findings)).toEqual([
      'claim-repeated metadata.name: There is a claim "ada" already. Rename one of them, or remove the copy.',
    ]);
    expect(findings[0]).toMatchObject({ at: { file: other[0] }, related: [{ at: { file: one[0] } }] });
    expect(inFiles(one, other)).toEqual(findings);
  });

  it('two claims may not be served at one host', () => {
    const host = 'apps.example.edu';
    expect(said(across([], [claim({ name: 'a', host }), claim({ name: 'b', host }), claim({ name: 'c' })]))).toEqual([
      'host-repeated metadata.name: There is a claim served at "apps.example.edu" already. Rename one of them, or write "expose: false" for one.',
    ]);
  });

  it('two cluster configs or installations of one name are one too many', () => {
    const config = {
      kind: 'maintenance',
      name: 'm',
      cluster: 'atlas',
      nodes: [],
      deadlineSeconds: 1,
      ignorePdb: false,
    } as const;
    expect(said(across([], [config, config, installation(), installation()]))).toEqual([
      'config-repeated metadata.name: There is a cluster config "m" already. Rename one of them.',
      'installation-repeated metadata.name: There is an installation "shop" already. Rename one of them.',
    ]);
  });

  it('a claim and an installation share no name, since they would share a record', () => {
    expect(said(across([], [claim({ name: 'shop' }), installation()]))).toEqual([
      'name-of-two-kinds metadata.name: There is a claim "shop"; an installation of the same name would share its record. Rename the one that is not there yet.',
    ]);
  });

  it("a component stays out of a claim's namespace, on the same cluster", () => {
    const intruder = component({ name: 'web', namespace: 'vcluster-ada' });
    expect(said(across([], [claim(), installation(), intruder]))).toEqual([
      'namespace-of-claim spec.components[1].namespace: "vcluster-ada" is the namespace of the claim "ada", and goes with it. Choose another namespace.',
    ]);
    expect(across([], [claim({ cluster: 'borealis' }), installation(), intruder])).toEqual([]);
  });
});

describe('a claim file that is gone', () => {
  const never =
    'claim-vanished file: The claim "ada" is gone from state/claims/ada.yaml, but was never deleted. Restore the file; to delete the claim, run "quiesce delete ada".';
  const early =
    'claim-vanished file: The claim "ada" is gone from state/claims/ada.yaml before its uninstall was completed. Restore the file; it may go once state/records/ada.yaml tells of the completed uninstall.';

  it.each<[what: string, before: readonly Facts[], after: readonly Facts[], said: string[]]>([
    ['was never deleted', [claim()], [], [never]],
    ['was never deleted, whatever the record of an earlier claim says', [claim()], [record('ada', 'Deleted')], [never]],
    ['was asleep', [claim({ state: 'Sleeping' })], [], [never]],
    ['was to be deleted, and is not yet', [claim({ state: 'Deleted' })], [], [early]],
    [
      'was to be deleted, and has a record that does not say so',
      [claim({ state: 'Deleted' })],
      [record('ada')],
      [early],
    ],
    ['was uninstalled', [claim({ state: 'Deleted' })], [record('ada', 'Deleted')], []],
    ['was uninstalled and left its data', [claim({ state: 'Deleted' })], [record('ada', 'Kept')], []],
  ])('%s', (_, before, after, expected) => {
    expect(said(across(before, after))).toEqual(expected);
  });

  it('is not gone if it cannot be read', () => {
    expect(across([claim()], [], ['state/claims/ada.yaml'])).toEqual([]);
  });

  it('is gone if its file holds another claim now', () => {
    const findings = acrossFindings({
      items: [{ facts: claim({ name: 'bob' }), origin: { file: 'state/claims/ada.yaml', document: 0 } }],
      previous: [{ facts: claim(), source: 'state/claims/ada.yaml' }],
      sources: new Set(['state/claims/ada.yaml']),
    });
    expect(said(findings)).toEqual([never]);
  });

  it('is at home in another folder', () => {
    const findings = acrossFindings({
      items: [{ facts: claim(), origin: { file: 'state/claims/team/ada.yaml', document: 0 } }],
      previous: [{ facts: claim(), source: 'state/claims/ada.yaml' }],
    });
    expect(findings).toEqual([]);
  });
});

describe('a renamed claim', () => {
  it('is recognised by its identity, and refused', () => {
    const findings = across([claim()], [claim({ name: 'bob', identity: 'i-ada' })]);
    expect(said(findings)).toEqual([
      'claim-renamed metadata.name: The claim "ada" was renamed to "bob"; the new name would be an empty virtual cluster. Restore the name "ada"; or keep both, move the data, and then run "quiesce delete ada".',
    ]);
    expect(findings[0]).toMatchObject({
      at: { file: 'state/claims/bob.yaml' },
      related: [{ at: { file: 'state/claims/ada.yaml' } }],
    });
  });

  it('is none if the other one was there before', () => {
    const bob = claim({ name: 'bob', identity: 'i-ada' });
    expect(across([claim(), bob], [bob]).map(({ code }) => code)).toEqual(['claim-vanished']);
  });
});

describe('a claim that changes', () => {
  it.each<[what: string, before: readonly Facts[], after: readonly Facts[], said: string[]]>([
    [
      'its cluster',
      [claim()],
      [claim({ cluster: 'borealis' })],
      [
        'claim-moved spec.cluster: The claim "ada" is on "atlas" and cannot be moved to "borealis": it would start there empty. Write "cluster: atlas"; or create a claim of another name on "borealis", move the data, and run "quiesce delete ada".',
      ],
    ],
    [
      'its cluster while it is deleted',
      [claim({ state: 'Deleted' })],
      [claim({ state: 'Deleted', cluster: 'borealis' })],
      [
        'claim-moved spec.cluster: The claim "ada" is on "atlas" and cannot be moved to "borealis": it would start there empty. Write "cluster: atlas"; or create a claim of another name on "borealis", move the data, and run "quiesce delete ada".',
      ],
    ],
    [
      'its backing store',
      [claim()],
      [claim({ backingStore: 'embeddedEtcd' })],
      [
        'backing-store-changed spec.backingStore: The claim "ada" keeps its data in embeddedDatabase; embeddedEtcd would start empty. Write "backingStore: embeddedDatabase"; or create a claim of another name and move the data.',
      ],
    ],
    [
      'its backing store while it is deleted',
      [claim()],
      [claim({ backingStore: 'embeddedEtcd', state: 'Deleted' })],
      [],
    ],
    [
      'its state, replicas and version',
      [claim()],
      [claim({ state: 'Sleeping', replicas: 3, version: '0.31.0', identity: 'other' })],
      [],
    ],
    [
      'from nothing to a name whose data was kept',
      [],
      [claim(), record('ada', 'Kept')],
      [
        'name-blocked-by-data metadata.name: The volumes of an earlier "ada" were kept; this claim would start on them. Choose another name, or delete those volumes and then state/records/ada.yaml.',
      ],
    ],
    ['from nothing to a name whose data was deleted', [], [claim(), record('ada', 'Deleted')], []],
    [
      'nothing, being deleted with its data kept',
      [claim({ state: 'Deleted' })],
      [claim({ state: 'Deleted' }), record('ada', 'Kept')],
      [],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(said(across(before, after))).toEqual(expected);
  });
});

describe('an installation', () => {
  it.each<[what: string, before: readonly Facts[], after: readonly Facts[], said: string[]]>([
    [
      'whose file is gone',
      [installation()],
      [],
      [
        'installation-vanished file: The installation "shop" is gone from state/installations/shop.yaml, but was never uninstalled. Restore the file; to uninstall, write "state: Deleted" into its spec.',
      ],
    ],
    [
      'whose file is gone too early',
      [installation({ state: 'Deleted' })],
      [],
      [
        'installation-vanished file: The installation "shop" is gone from state/installations/shop.yaml before its uninstall was completed. Restore the file; it may go once state/records/shop.yaml tells of the completed uninstall.',
      ],
    ],
    ['that was uninstalled', [installation({ state: 'Deleted' })], [record('shop', 'Deleted')], []],
    [
      'that moves',
      [installation()],
      [installation({ cluster: 'borealis' })],
      [
        'installation-moved spec.cluster: "shop" is installed on "atlas"; on "borealis" it would be a second one, and the first left behind. Write "cluster: atlas"; to move it, uninstall it first.',
      ],
    ],
    [
      'that loses a component',
      [installation()],
      [installation({ components: ['db', 'cache'] })],
      [
        'component-vanished spec.components: The component "web" is gone; what is protected from pruning stays on "atlas". Remove by hand what it leaves behind, or restore it and uninstall the whole installation.',
      ],
    ],
    ['that is uninstalled', [installation(), component()], [installation({ state: 'Deleted' })], []],
  ])('%s', (_, before, after, expected) => {
    expect(said(across(before, after))).toEqual(expected);
  });

  it('is not gone if it cannot be read', () => {
    expect(across([installation()], [], ['state/installations/shop.yaml'])).toEqual([]);
  });
});

it('ten thousand claims are held against each other without a pause', () => {
  const many = Array.from({ length: 10_000 }, (_, index) =>
    claim({ name: `c${index}`, host: `c${index}.example.edu` }),
  );
  expect(across(many, many)).toEqual([]);
});
