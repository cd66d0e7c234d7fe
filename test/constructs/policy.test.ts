import { expect, test } from 'vitest';
import { lab, objectsOf, settings } from './instance.ts';

function rendered(changes: Partial<typeof settings> = {}) {
  return objectsOf({ kind: 'system', part: 'policy', cluster: lab }, { settings: { ...settings, ...changes } });
}

test('names the groups that may delete a claim; once git says Deleted, anybody may', () => {
  const [policy, binding] = rendered();
  expect(policy?.spec).toMatchObject({
    failurePolicy: 'Fail',
    variables: [{ name: 'groups', expression: '["ops","platform \\"core\\""]' }, { name: 'controllers' }],
    validations: [
      {
        expression:
          "oldObject.spec.state == 'Deleted' || request.userInfo.groups.exists(group, group in variables.groups) || request.userInfo.username in variables.controllers",
        message:
          'Only members of ops, platform "core" may delete a claim with kubectl; set spec.state to Deleted in git',
      },
    ],
  });
  expect(binding?.spec).toEqual({ policyName: 'quiesce-claim-deletion', validationActions: ['Deny'] });
});

test('is not there if anyone may', () => {
  expect(rendered({ deletion: { groups: 'anyone' } })).toEqual([]);
});
