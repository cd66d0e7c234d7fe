import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { synth } from '../../src/pipeline.ts';
import { changesOf, refusalOf } from '../support/repo.ts';
import { runs } from '../support/runs.ts';
import { claim, settings } from '../support/state.ts';
import { listTree, writeTree } from '../support/tree.ts';

/**
 * The promise behind every shortcut: whatever was compiled before, whatever git knows, whatever somebody did to
 * `out/` by hand, an incremental compile leaves the bytes that a full one from nothing would.
 */

type Edit =
  | { readonly kind: 'set'; readonly name: string; readonly claim: Parameters<typeof claim>[1] }
  | { readonly kind: 'move'; readonly name: string; readonly folder: string }
  | { readonly kind: 'settings'; readonly domain: string; readonly taints: string }
  | { readonly kind: 'config'; readonly blocks: string }
  | { readonly kind: 'manifest'; readonly value: string }
  | { readonly kind: 'damage' | 'lose' | 'mistake'; readonly name: string }
  | { readonly kind: 'commit' | 'clone' | 'forget' | 'loseInventory' };

const names = ['ada', 'bob', 'course-with-a-name-longer-than-forty-six-chars', 'dan'];
const name = fc.constantFrom(...names);
const numRuns = runs(6);

const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('set' as const),
      name,
      claim: fc.record({
        state: fc.constantFrom('Running', 'Sleeping', 'Deleted'),
        replicas: fc.constantFrom(1, 3),
        expose: fc.boolean(),
        owner: fc.constantFrom('Ada', 'on', '0o17', 'a: b', 'é "quoted"'),
      }),
    }),
  },
  fc.record({ kind: fc.constant('move' as const), name, folder: fc.constantFrom('', 'team/', 'a/b/') }),
  fc.record({
    kind: fc.constant('settings' as const),
    domain: fc.constantFrom('apps.example.edu', 'www.example.org'),
    taints: fc.constantFrom('sidecar', 'applier'),
  }),
  fc.record({ kind: fc.constant('config' as const), blocks: fc.constantFrom('', '10.0.0.1', '10.0.0.0/30') }),
  fc.record({ kind: fc.constant('manifest' as const), value: fc.constantFrom('one', 'two') }),
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('damage' as const, 'lose' as const, 'mistake' as const), name }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('commit' as const, 'clone', 'forget', 'loseInventory'),
    }) as fc.Arbitrary<Edit>,
  },
);

describe('incremental compile', () => {
  it('gives the bytes of a full one after any sequence of edits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 8 }), async (edits) => {
        const base = mkdtempSync(join(tmpdir(), 'quiesce-incremental-'));
        try {
          await replay(edits, base);
        } finally {
          rmSync(base, { recursive: true, force: true });
        }
      }),
      { numRuns },
    );
  }, 600_000);
});

async function replay(edits: readonly Edit[], base: string): Promise<void> {
  const model = new Model(join(base, 'repo'));
  await compile(model.root);
  for (const each of edits) {
    await model.apply(each, base);
    await compile(model.root);
    const fresh = join(base, 'fresh');
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh);
    cpSync(join(model.root, 'state'), join(fresh, 'state'), { recursive: true });
    await compile(fresh);
    expect(outOf(model.root)).toEqual(outOf(fresh));
  }
}

function outOf(root: string): Readonly<Record<string, string>> {
  return Object.fromEntries(listTree(join(root, 'out')));
}

async function compile(root: string): Promise<void> {
  changesOf(await synth({ root }));
}

/** A repository that edits are done to. */
class Model {
  root: string;
  private readonly folders = new Map(names.map((each) => [each, '']));
  private clones = 0;

  constructor(root: string) {
    this.root = root;
    writeTree(root, [
      ['state/settings.yaml', settings()],
      ['state/installations/stack.yaml', installation],
      ['state/installations/stack/web/web.yaml', manifest('one')],
      ['state/clusters/main.yaml', config('')],
      ...names.map((each) => [`state/claims/${each}.yaml`, claim(each)] as const),
    ]);
    this.git('init', '--quiet');
  }

  async apply(each: Edit, base: string): Promise<void> {
    switch (each.kind) {
      case 'set':
        return this.write(this.path(each.name), claim(each.name, each.claim));
      case 'move':
        return this.move(each.name, each.folder);
      case 'settings':
        return this.write(
          'state/settings.yaml',
          settings({ domain: each.domain, extra: `  maintenance: { taints: ${each.taints} }\n` }),
        );
      case 'config':
        return this.write('state/clusters/main.yaml', config(each.blocks));
      case 'manifest':
        return this.write('state/installations/stack/web/web.yaml', manifest(each.value));
      case 'damage':
        return this.write(`out/main/claims/${each.name}/claim.k8s.yaml`, '# Compiled by quiesce from nowhere\n');
      case 'lose':
        return this.remove(`out/main/claims/${each.name}`);
      case 'mistake':
        return this.makeMistake(each.name);
      case 'commit':
        return this.commit();
      case 'clone':
        return this.clone(join(base, `clone-${++this.clones}`));
      case 'forget':
        return this.remove('.quiesce');
      case 'loseInventory':
        return this.remove('out/inventory.jsonl');
    }
  }

  /** A compile in between that is refused: it must leave nothing that a later one could stumble over. */
  private async makeMistake(each: string): Promise<void> {
    const before = outOf(this.root);
    this.write(`state/claims/mistake.yaml`, claim(each));
    expect(refusalOf(await synth({ root: this.root })).join('\n')).toContain('claim-repeated');
    expect(outOf(this.root)).toEqual(before);
    this.remove('state/claims/mistake.yaml');
  }

  private write(path: string, text: string): void {
    writeTree(this.root, [[path, text]]);
  }

  private remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true, force: true });
  }

  private move(each: string, folder: string): void {
    const before = this.path(each);
    if (this.folders.get(each) === folder) return;
    this.folders.set(each, folder);
    mkdirSync(join(this.root, 'state', 'claims', folder), { recursive: true });
    cpSync(join(this.root, before), join(this.root, this.path(each)));
    this.remove(before);
  }

  private path(each: string): string {
    return `state/claims/${this.folders.get(each) ?? ''}${each}.yaml`;
  }

  private clone(to: string): void {
    this.commit();
    execFileSync('git', ['clone', '--quiet', this.root, to]);
    this.root = to;
  }

  private commit(): void {
    const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
    this.git('add', '--all');
    this.git(...who, 'commit', '--quiet', '--allow-empty', '--no-gpg-sign', '-m', 't');
  }

  private git(...args: string[]): void {
    execFileSync('git', ['-C', this.root, ...args], { stdio: 'ignore' });
  }
}

const installation = `apiVersion: quiesce.dev/v1alpha1
kind: Installation
metadata:
  name: stack
spec:
  cluster: main
  components:
    - { name: web, namespace: web }
`;

function manifest(value: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web, namespace: web }\ndata: { value: "${value}" }\n`;
}

function config(blocks: string): string {
  return `apiVersion: baremetal.cluster.gke.io/v1
kind: Cluster
metadata:
  name: main
spec:
  controlPlane: { nodePoolSpec: { nodes: [{ address: 10.0.0.1 }, { address: 10.0.0.2 }] } }
  maintenanceBlocks: { cidrBlocks: [${blocks}] }
`;
}
