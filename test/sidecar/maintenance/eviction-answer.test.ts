import { describe, expect, it } from 'vitest';
import { classifyEviction, type EvictionAnswer } from '../../../src/sidecar/maintenance/eviction-answer.ts';

function failure(code: number, message: string, details: object = {}) {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code, details };
}

const caused = (reason: string, message: string) => ({ causes: [{ reason, message }] });
const wouldViolate = "Cannot evict pod as it would violate the pod's disruption budget.";

/** Bodies as kube-apiserver writes them. */
const table: readonly (readonly [string, number, unknown, number | undefined, EvictionAnswer])[] = [
  ['created', 201, { kind: 'Status', status: 'Success', code: 201 }, undefined, { kind: 'evicted' }],
  ['deleted at once', 200, { kind: 'Status', status: 'Success' }, undefined, { kind: 'evicted' }],
  ['an Eviction instead of a Status', 201, { kind: 'Eviction' }, undefined, { kind: 'evicted' }],
  ['no such pod', 404, failure(404, 'pods "web" not found', { kind: 'pods' }), undefined, { kind: 'gone' }],
  [
    'another pod of that name',
    409,
    failure(
      409,
      'Operation cannot be fulfilled on pods "web": Precondition failed: UID in precondition: 1, UID in object meta: 2',
    ),
    undefined,
    { kind: 'replaced' },
  ],
  [
    'a conflict over something else',
    409,
    failure(409, 'Operation cannot be fulfilled on pods "web": the object has been modified'),
    undefined,
    {
      kind: 'serverError',
      status: 409,
      text: 'Operation cannot be fulfilled on pods "web": the object has been modified',
    },
  ],
  [
    'a budget with its numbers',
    429,
    failure(
      429,
      wouldViolate,
      caused('DisruptionBudget', 'The disruption budget web needs 2 healthy pods and has 2 currently'),
    ),
    undefined,
    { kind: 'blockedByBudget', budget: 'web', needs: 2, has: 2 },
  ],
  [
    'a budget whose controller has failed',
    429,
    failure(
      429,
      wouldViolate,
      caused(
        'DisruptionBudget',
        'The disruption budget web does not allow evicting pods currently because it failed sync: no scale',
      ),
    ),
    undefined,
    { kind: 'blockedByBudget', budget: 'web' },
  ],
  [
    'a budget that its controller has not seen',
    429,
    failure(429, wouldViolate, {
      ...caused('DisruptionBudget', 'The disruption budget web is still being processed by the server.'),
      retryAfterSeconds: 10,
    }),
    undefined,
    { kind: 'budgetUnobserved', budget: 'web', retryAfterSeconds: 10 },
  ],
  [
    'words of a version to come',
    429,
    failure(429, wouldViolate, caused('DisruptionBudget', 'Not now.')),
    undefined,
    { kind: 'blockedByBudget' },
  ],
  [
    'priority and fairness, which sends no Status',
    429,
    'Too many requests, please try again later.',
    1,
    { kind: 'slowDown', retryAfterSeconds: 1 },
  ],
  ['429 and no word when', 429, failure(429, 'slow'), undefined, { kind: 'slowDown', retryAfterSeconds: 10 }],
  [
    'a namespace that is being deleted',
    403,
    failure(403, 'pods "web" is forbidden: …', caused('NamespaceTerminating', 'namespace a is being terminated')),
    undefined,
    { kind: 'namespaceTerminating' },
  ],
  [
    'a budget that is negative',
    403,
    failure(403, 'poddisruptionbudget "web" is forbidden: pdb disruptions allowed is negative', {
      kind: 'poddisruptionbudget',
    }),
    undefined,
    { kind: 'budgetRefuses', text: 'poddisruptionbudget "web" is forbidden: pdb disruptions allowed is negative' },
  ],
  [
    'no permission',
    403,
    failure(403, 'pods "web" is forbidden: User "x" cannot create', { kind: 'pods' }),
    undefined,
    { kind: 'forbidden', text: 'pods "web" is forbidden: User "x" cannot create' },
  ],
  [
    'a webhook with a status of its own',
    400,
    failure(400, 'admission webhook "w" denied the request: no'),
    undefined,
    { kind: 'forbidden', text: 'admission webhook "w" denied the request: no' },
  ],
  [
    'two budgets, which come as 201 with a Failure in it',
    201,
    failure(500, 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'),
    undefined,
    { kind: 'misconfigured' },
  ],
  [
    'two budgets as 500',
    500,
    failure(500, 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'),
    undefined,
    { kind: 'misconfigured' },
  ],
  [
    'a webhook that does not answer',
    500,
    failure(500, 'Internal error occurred: failed calling webhook'),
    undefined,
    { kind: 'serverError', status: 500, text: 'Internal error occurred: failed calling webhook' },
  ],
  [
    'a timeout that says when to come again',
    504,
    failure(504, 'Timeout', { retryAfterSeconds: 7 }),
    undefined,
    { kind: 'serverError', status: 504, text: 'Timeout', retryAfterSeconds: 7 },
  ],
  ['no answer', 0, 'socket hang up', undefined, { kind: 'serverError', status: 0, text: 'socket hang up' }],
];

describe('an answer to an eviction', () => {
  it.each(table)('%s', (_, status, body, retryAfter, expected) => {
    expect(classifyEviction(status, body, retryAfter)).toEqual(expected);
  });

  it.each([undefined, null, '', 42, [], {}, { details: 'x', message: 3 }, { details: { causes: [null, 1, {}] } }])(
    'of any other form, %j, is no reason to fail',
    (body) => expect(classifyEviction(503, body).kind).toBe('serverError'),
  );
});
