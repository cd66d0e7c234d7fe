import { describe, expect, it } from 'vitest';
import { claimsIn, setClaimState } from '../../src/edit/claim.ts';
import { EditRefused } from '../../src/edit/refused.ts';

const ada = `# yaml-language-server: $schema=../schemas/VClusterClaim.json
apiVersion: quiesce.dev/v1alpha1
kind: VClusterClaim
metadata:
  name: ada # the first
spec:
  owner: { name: Ada, email: ada@example.edu }
  state: Running   # since the summer term
  protected: true
`;
const bob = `apiVersion: plethos.cs.hm.edu/v1
kind: VClusterClaim
metadata: {name: bob}
spec:
  owner:
    name: Bob
`;

describe('claimsIn', () => {
  it('finds claims of both groups in every document and skips what is none', () => {
    const other = 'apiVersion: example.org/v1\nkind: VClusterClaim\nmetadata: {name: eve}\n';
    expect(claimsIn([ada, 'just text\n', other, bob, 'a: [\n'].join('---\n'))).toEqual([
      { name: 'ada', document: 0, state: 'Running', protected: true },
      { name: 'bob', document: 3, state: 'Running', protected: false },
    ]);
  });
});

describe('what claimsIn says', () => {
  it('reads states as the compiler does: through aliases and merges', () => {
    const head = 'apiVersion: quiesce.dev/v1alpha1\nkind: VClusterClaim\nmetadata: {name: ada}\n';
    expect(claimsIn(`${head}x: &s Sleeping\nspec: {state: *s}\n`)).toMatchObject([{ state: 'Sleeping' }]);
    expect(claimsIn(`${head}x: &b {state: Deleted, protected: true}\nspec: {<<: *b}\n`)).toMatchObject([
      { state: 'Deleted', protected: true },
    ]);
  });

  it('finds nothing in a file that would take all memory or stack', () => {
    expect(claimsIn('['.repeat(100_000))).toEqual([]);
    expect(() => setClaimState('['.repeat(100_000), 'ada', 'Sleeping')).toThrow(EditRefused);
  });
});

describe('setClaimState', () => {
  it('changes one word', () => {
    expect(setClaimState(ada, 'ada', 'Sleeping')).toBe(ada.replace('Running ', 'Sleeping '));
  });

  it('adds one line below the owner', () => {
    expect(setClaimState(bob, 'bob', 'Deleted')).toBe(`${bob}  state: Deleted\n`);
    expect(setClaimState(bob, 'bob', 'Running')).toBe(bob);
  });

  it('edits the right one of several', () => {
    expect(setClaimState(`${ada}---\n${bob}`, 'bob', 'Sleeping')).toBe(`${ada}---\n${bob}  state: Sleeping\n`);
  });

  it.each([
    ['---\n---\n', ''],
    ['# only a comment\n---\n', ''],
    ['---\n# only a comment\n---\n', '...\n---\n'],
    ['\ufeff---\n', '---\n'],
    ['%YAML 1.2\n---\na: 1\n...\n---\n', ''],
    ['a: 1\n---\nb: 2\n...\n# c\n---\n', '---\nx: [1]\n'],
  ])('counts documents as the reader does: between %j and %j', (before, after) => {
    expect(setClaimState(`${before}${ada}${after}`, 'ada', 'Sleeping')).toBe(
      `${before}${ada.replace('Running ', 'Sleeping ')}${after}`,
    );
    expect(setClaimState(`${before}${bob}${after}`, 'bob', 'Sleeping')).toBe(
      `${before}${bob}  state: Sleeping\n${after}`,
    );
  });

  it('refuses a name that is not there and a file it cannot read', () => {
    expect(() => setClaimState(ada, 'bob', 'Sleeping')).toThrow(
      new EditRefused('it has no claim "bob" that can be read'),
    );
    expect(() => setClaimState('a: [', 'bob', 'Sleeping')).toThrow(EditRefused);
  });
});
