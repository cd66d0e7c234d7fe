import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openState, type StateFolder } from '../support/repo.ts';
import { claim, settings } from '../support/state.ts';

let state: StateFolder;
beforeEach(() => {
  state = openState({ 'state/claims/ada.yaml': claim('ada') });
});
afterEach(() => state.close());

const source = 'state/claims/ada.yaml';
const output = 'out/main/claims/ada/claim.k8s.yaml';

async function plainOutput(): Promise<string> {
  await state.compile();
  return state.read(output);
}

describe('a file that says the same in other bytes gives the same output', () => {
  it.each([
    ['with a byte order mark', (text: string) => `\ufeff${text}`],
    ['with Windows line ends', (text: string) => text.replaceAll('\n', '\r\n')],
    ['with both', (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`],
    ['without a line end at the end', (text: string) => text.trimEnd()],
    ['with a document start and an end', (text: string) => `---\n${text}...\n`],
    ['with comments and blank lines', (text: string) => `# one\n\n${text.replaceAll('\n', ' # more\n\n')}`],
    ['with anchors and merge keys', (text: string) => text.replace('  owner:\n', '  owner: &owner\n')],
    ['as JSON', (text: string) => JSON.stringify(jsonOf(text), undefined, '\t')],
  ])('%s', async (_, spell) => {
    const expected = await plainOutput();
    state.write(source, spell(claim('ada')));
    await state.compile();
    expect(state.read(output)).toBe(expected);
  });
});

describe('a symbolic link', () => {
  it('inside of state/ counts as the file that it leads to', async () => {
    const expected = await plainOutput();
    state.remove('out');
    state.write('state/charts/ada.yaml', state.read(source));
    state.remove(source);
    symlinkSync('../charts/ada.yaml', join(state.root, source));
    await state.compile();
    expect(state.read(output)).toBe(expected);
  });

  it.each([
    ['out of state/', '../../secret.yaml', 'is a symbolic link that leads out of state/.'],
    ['out of state/ by a whole path', '/etc/hostname', 'is a symbolic link that leads out of state/.'],
    ['to nothing', 'nobody.yaml', 'is a symbolic link that leads to no file of state/.'],
    ['to itself', 'eve.yaml', 'is a symbolic link that leads to no file of state/.'],
    ['to a folder', '.', 'is a symbolic link that leads to no file of state/.'],
  ])('%s is refused, whether git knows it or not', async (_, target, message) => {
    state.write('secret.yaml', 'mine\n');
    symlinkSync(target, join(state.root, 'state/claims/eve.yaml'));
    const expected = [`link-leaves-state: state/claims/eve.yaml ${message}`];
    expect(await state.refusal()).toEqual(expected);
    state.commit();
    expect(await state.refusal()).toEqual(expected);
  });

  it('as a folder is never entered', async () => {
    state.write('elsewhere/bob.yaml', claim('bob'));
    symlinkSync('../../elsewhere', join(state.root, 'state/claims/more'));
    expect(await state.refusal()).toEqual([
      'link-leaves-state: state/claims/more is a symbolic link that leads out of state/.',
    ]);
  });

  it('in a commit counts as in the work tree', async () => {
    symlinkSync('../../secret.yaml', join(state.root, 'state/claims/eve.yaml'));
    state.commit();
    state.remove('state/claims/eve.yaml');
    expect(await state.refusal({ ref: 'HEAD' })).toEqual([
      'link-leaves-state: state/claims/eve.yaml is a symbolic link that leads out of state/.',
    ]);
  });
});

describe('a folder', () => {
  it.each(['state/claims/bob.yaml', 'state/records/bob.yaml', 'state/installations/bob.yaml'])(
    'called like a file, %s, holds nothing that is read by mistake',
    async (path) => {
      const changes = await state.compile();
      mkdirSync(join(state.root, path), { recursive: true });
      expect(await state.compile()).toEqual([]);
      expect(changes.length).toBeGreaterThan(0);
    },
  );

  it('called like the settings is as good as no settings', async () => {
    state.remove('state/settings.yaml');
    mkdirSync(join(state.root, 'state/settings.yaml'));
    expect(await state.refusal()).toEqual(['settings-missing: There is no state/settings.yaml.']);
  });

  it('that is a submodule is not part of the state', async () => {
    const other = openState({ 'claims.yaml': 'not ours\n' });
    other.commit();
    state.commit();
    const add = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.root, 'state/claims/theirs'];
    execFileSync('git', add, { cwd: state.root, stdio: 'pipe' });
    other.close();
    expect((await state.compile()).filter((change) => change.includes('/claims/'))).toEqual([
      '+ main/claims/ada/claim.k8s.yaml',
    ]);
  });

  it('is no state when it is a file itself', async () => {
    state.remove('state');
    state.write('state', 'a file\n');
    expect(await state.refusal()).toEqual(['settings-missing: There is no state/settings.yaml.']);
  });
});

describe('a large file', () => {
  it('of 100,000 lines is read, and a mistake in its last line is found there', async () => {
    const nodes = Array.from(
      { length: 99_985 },
      (_, i) => `    - address: 10.${i >> 16}.${(i >> 8) & 255}.${i & 255}\n`,
    );
    const config = `apiVersion: baremetal.cluster.gke.io/v1
kind: Cluster
metadata:
  name: main
spec:
  maintenanceBlocks:
    cidrBlocks: [10.0.0.0/24]
---
apiVersion: baremetal.cluster.gke.io/v1
kind: NodePool
metadata:
  name: large
spec:
  nodes:
`;
    state.write('state/clusters/main.yaml', `${config}${nodes.join('')}    - address: 10.1.300.1\n`);
    const result = await state.synth();
    expect(result).toMatchObject({
      kind: 'problems',
      problems: [{ code: 'address-malformed', place: { line: 100_000, column: 16 } }],
    });
    state.write('state/clusters/main.yaml', `${config}${nodes.join('')}`);
    await state.compile();
    expect(state.read('out/main/maintenance/main.k8s.yaml').match(/ - address: /g)).toHaveLength(256);
  }, 120_000);

  it('beyond the limit is not read', async () => {
    state.write(source, `${claim('ada')}# ${'x'.repeat(2 ** 20)}\n`);
    expect(await state.refusal()).toEqual(['file-too-large: The file has 1.1 MiB; at most 1 MiB are read.']);
  });

  it('may hold an object that the API server would refuse', async () => {
    state.write('state/installations/stack.yaml', installation);
    const map = (name: string, text: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${text}`;
    state.write('state/installations/stack/web/data.yaml', map('data', `data:\n  a: "${'x'.repeat(1_048_577)}"\n`));
    state.write(
      'state/installations/stack/web/note.yaml',
      map('note', `  annotations:\n    a: "${'x'.repeat(262_144)}"\n`),
    );
    expect(await state.refusal()).toEqual([
      'object-too-large: ConfigMap data has 1,048,577 bytes in its data; the API server takes 1,048,576.',
      'object-too-large: ConfigMap note has 262,145 bytes in its annotations; the API server takes 262,144.',
    ]);
  });

  it('of annotations on a claim is refused as the API server would', async () => {
    state.write(
      source,
      claim('ada').replace('  name: ada\n', `  name: ada\n  annotations:\n    a: "${'x'.repeat(262_144)}"\n`),
    );
    expect(await state.refusal()).toEqual([expect.stringMatching(/^annotations-too-large: /)]);
  });
});

it('a name of a file that git writes in quotes is read like any other', async () => {
  state.write('state/claims/kurs "ä" 東京/bob.yaml', claim('bob'));
  state.commit();
  await state.compile();
  expect(state.read('out/main/claims/bob/claim.k8s.yaml')).toMatch(
    /^# Compiled by quiesce from state\/claims\/kurs "ä" 東京\/bob.yaml: /,
  );
});

it('a file whose bytes are no UTF-8 is refused at its first such byte', async () => {
  writeFileSync(
    join(state.root, source),
    Buffer.from(claim('ada', { owner: 'Zoe' }).replace('Zoe', 'Zo\xeb'), 'latin1'),
  );
  expect(await state.refusal()).toEqual(['not-utf8: The byte 0xEB is not UTF-8 here.']);
  writeFileSync(join(state.root, source), Buffer.from(`\ufeff${claim('ada')}`, 'utf16le'));
  expect(await state.refusal()).toEqual(['not-utf8: The file is encoded as UTF-16, not UTF-8.']);
});

it('a state without a single claim compiles to what the settings ask for', async () => {
  const bare = openState({ 'state/settings.yaml': settings() });
  const changes = await bare.compile();
  bare.close();
  expect(changes).toContain('+ main/system/crds.k8s.yaml');
});

const installation = `apiVersion: quiesce.dev/v1alpha1
kind: Installation
metadata:
  name: stack
spec:
  cluster: main
  components:
    - { name: web, namespace: web }
`;

/** Just enough of a reader for the claims that these tests write. */
function jsonOf(text: string): unknown {
  const value = (name: string): string => new RegExp(`^ *${name}: "?([^"\\n]*)"?$`, 'm').exec(text)?.[1] ?? '';
  return {
    apiVersion: value('apiVersion'),
    kind: value('kind'),
    metadata: { name: 'ada' },
    spec: {
      owner: { name: 'Ada Example', email: value('email') },
      state: value('state'),
      cluster: value('cluster'),
      backingStore: value('backingStore'),
      replicas: Number(value('replicas')),
      expose: value('expose') === 'true',
    },
  };
}
