import { expect, it } from 'vitest';
import { resolveRecord } from '../../src/resolve/record.ts';
import { recordSchema } from '../../src/validate/kinds/record.ts';

const at = '2026-01-31T08:00:00Z';
const everything = {
  identity: 'a1b2c3d4',
  firstSeen: at,
  renewals: [{ at, by: 'ada@example.edu', deadline: at }, { at }],
  warnings: [{ about: 'Sleep', deadline: at, deliveredAt: at, to: ['ada@example.edu'] }],
  deadlines: { sleep: at, delete: at },
  warnedAnewFrom: at,
  notices: [{ about: 'Asleep', at, deliveredAt: at, to: ['ada@example.edu'] }],
  rejections: [{ to: 'bob@example.edu', at, reply: '550 no such user' }],
  asleep: { at, deadline: at },
  schedule: { tick: at, does: 'Wake' },
  deletion: { at, by: 'Kubectl', withdrawnAt: at },
  observed: { phase: 'DeleteError', since: at, reason: 'hook-failed' },
  uninstalled: { at, data: 'Kept' },
};

function resolved(spec: object) {
  const document = { apiVersion: 'quiesce.dev/v1alpha1', kind: 'Record', metadata: { name: 'ada' }, spec };
  const origin = { file: 'state/records/ada.yaml', document: 0 };
  return resolveRecord({ ...recordSchema.parse(document), origin }).value;
}

it('a record says to the program what it says to people', () => {
  const origin = { file: 'state/records/ada.yaml', document: 0 };
  expect(resolved(everything)).toEqual({ origin, name: 'ada', ...everything });
  expect(resolved({})).toStrictEqual({
    origin,
    name: 'ada',
    renewals: [],
    warnings: [],
    notices: [],
    rejections: [],
  });
});
