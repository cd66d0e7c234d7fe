import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimFile, type Instance, openInstance, settings } from './instance.ts';

const policy = (rules: string) => `${settings}  policy:\n    rules:\n${rules}`;
const dataRule = '      - { name: data-loss, dangers: [data-lost] }\n';
const deleted = { 'state/claims/ada.yaml': claimFile('ada', '  state: Deleted\n') };

let instance: Instance;
beforeEach(async () => {
  instance = await openInstance({ 'state/settings.yaml': policy(dataRule), 'state/claims/ada.yaml': claimFile('ada') });
  await instance.git('branch', 'before');
});
afterEach(() => instance.workshop.close());

const check = (...more: readonly string[]) => instance.quiesce('validate', '--policy', '--from', 'before', ...more);

describe('quiesce validate --policy', () => {
  it('lets pass what needs no approval', async () => {
    await instance.commit('Sleep', { 'state/claims/ada.yaml': claimFile('ada', '  state: Sleeping\n') });
    const { status, stdout } = await check();
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringMatching(/^Valid: /) });
  });

  it('names the change, its line, and what to do', async () => {
    await instance.commit('Delete', deleted);
    const { status, stdout } = await check();
    expect(status).toBe(1);
    expect(stdout).toBe(`state/claims/ada.yaml:8:10
  error approval-missing  The rule "data-loss" of the policy wants an approval: Virtual cluster ada on west is ordered to be deleted.
  8 |   state: Deleted
    |          ^^^^^^^
  → If it is meant, write "Quiesce-Approve: data-loss" at the end of a commit's message, or set the label "quiesce-approve/data-loss".

1 problem: 1 error
`);
    const json = JSON.parse((await check('--json')).stdout) as object;
    expect(json).toMatchObject({ ok: false, problems: [{ code: 'approval-missing', place: { line: 8 } }] });
    expect((await check('--format', 'github')).stderr).toMatch(/^::error file=state\/claims\/ada.yaml,line=8/);
  });

  it('is content with a trailer in any commit of the change', async () => {
    await instance.commit(
      'Delete\n\nada is done.\n\nQuiesce-Approve: data-loss\nSigned-off-by: x <x@example.edu>',
      deleted,
    );
    await instance.commit('More', { 'README.md': '' });
    expect((await check()).status).toBe(0);
    const { stdout } = await instance.quiesce('plan', '--from', 'before');
    expect(stdout).toContain('approved: data-loss');
  });

  it('is not content with words in a message, or a trailer from before', async () => {
    await instance.commit(
      'Quiesce-Approve: data-loss\n\nQuiesce-Approve: data-loss is what I do not say.\n\nBye.',
      deleted,
    );
    expect((await check()).status).toBe(1);
    await instance.commit('Before\n\nQuiesce-Approve: data-loss', { 'README.md': '' });
    await instance.git('branch', '-f', 'before');
    await instance.commit('Another', { 'state/claims/bob.yaml': claimFile('bob') });
    await instance.git('branch', '-f', 'before');
    await instance.commit('Delete bob', { 'state/claims/bob.yaml': claimFile('bob', '  state: Deleted\n') });
    expect((await check()).status).toBe(1);
  });

  it('takes names in a trailer at their word', async () => {
    await instance.commit('Delete\n\nQuiesce-Approve: data-loss bob', deleted);
    expect((await check()).status).toBe(1);
    await instance.commit('Really\n\nQuiesce-Approve: data-loss ada', { 'README.md': '' });
    expect((await check()).status).toBe(0);
  });

  it('is content with a label', async () => {
    await instance.commit('Delete', deleted);
    expect((await check('--label', 'bug', '--label', 'quiesce-approve/data-loss')).status).toBe(0);
    const { status } = await instance.quiesceWith(
      { QUIESCE_LABELS: 'bug,quiesce-approve/data-loss' },
      ...['validate', '--policy', '--from', 'before'],
    );
    expect(status).toBe(0);
  });

  it('a change cannot lift the rule that it needs an approval by', async () => {
    await instance.commit('Delete', { ...deleted, 'state/settings.yaml': settings });
    expect((await check()).stdout).toContain('error approval-missing');
  });

  it('a rule that comes with the change holds for it', async () => {
    await instance.commit('Rule', {
      'state/settings.yaml': policy('      - { name: guard, dangers: [guard-changed], labelOnly: true }\n'),
    });
    const { stdout } = await check();
    expect(stdout).toContain('The rule "guard" of the policy wants an approval: Setting policy.rules.');
    expect(stdout).toContain('If it is meant, set the label "quiesce-approve/guard".');
  });

  it('looks into objects, too', async () => {
    const role = (verbs: string) =>
      `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: r, namespace: shop }\nrules: [{ apiGroups: [""], resources: [pods], verbs: [${verbs}] }]\n`;
    await instance.commit('Shop', {
      'state/settings.yaml': policy('      - { name: rights, dangers: [rbac-widened] }\n'),
      'state/installations/shop.yaml':
        'apiVersion: quiesce.dev/v1alpha1\nkind: Installation\nmetadata: { name: shop }\nspec: { cluster: west, components: [{ name: web, namespace: shop }] }\n',
      'state/installations/shop/web/role.yaml': role('get'),
    });
    await instance.git('branch', '-f', 'before');
    instance.write('state/installations/shop/web/role.yaml', role('"*"'));
    expect((await check()).stdout).toContain(
      'The rule "rights" of the policy wants an approval: Role r in shop on west changes.',
    );
  });

  it('warns of an approval that no rule asks for', async () => {
    await instance.commit('Typo\n\nQuiesce-Approve: data-los', { 'README.md': '' });
    const { status, stdout } = await check();
    expect(status).toBe(0);
    expect(stdout).toContain('warning approval-unknown  There is no rule "data-los" in the policy');
  });

  it('says when the clone is too shallow to see every trailer', async () => {
    await instance.commit('One', { 'README.md': '1' });
    await instance.commit('Delete', deleted);
    const clone = instance.workshop.path('clone');
    await instance.git('clone', '-q', '--depth', '2', `file://${instance.dir}`, clone);
    const { stdout } = await instance.quiesce('-C', clone, 'validate', '--policy', '--from', 'HEAD~1');
    expect(stdout).toContain('This clone lacks history: fetch all commits, so that their trailers are seen.');
  });

  it('is there to be asked for, and refuses what makes no sense', async () => {
    await instance.commit('Delete', deleted);
    expect((await instance.quiesce('validate')).status).toBe(0);
    expect(await instance.quiesce('validate', '--from', 'before')).toMatchObject({
      status: 2,
      stderr: 'error: --from goes with --policy\n',
    });
    expect((await instance.quiesce('validate', '--policy', '--from', 'nowhere')).stdout).toContain('error ref-unknown');
  });
});

describe('policy in the settings', () => {
  it.each([
    ['      - { name: a }\n      - { name: a }\n', 'policy-rule-repeated'],
    ['      - { name: a, clusters: [wets] }\n', 'host-cluster-unknown'],
    ['      - { name: a, dangers: [data-los] }\n', 'error'],
    ['      - { dangers: [data-lost] }\n', 'error'],
  ])('%j', async (rules, code) => {
    instance.write('state/settings.yaml', policy(rules));
    const { status, stdout } = await instance.quiesce('validate');
    expect(status).toBe(1);
    expect(stdout).toContain(code);
  });
});
