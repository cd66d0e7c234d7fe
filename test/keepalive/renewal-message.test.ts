import { describe, expect, it } from 'vitest';
import { renewalMessage } from '../../src/keepalive/renewal-message.ts';

const deadlines = { sleep: Date.UTC(2027, 0, 1), delete: Date.UTC(2027, 2, 1) };
const renewed = (...claims: string[]) => claims.map((claim) => ({ claim, deadlines }));

describe('what git log says of renewals', () => {
  it('goes by name, whoever pressed first', () => {
    expect(renewalMessage(renewed('bob', 'ada'))).toEqual(renewalMessage(renewed('ada', 'bob')));
    expect(renewalMessage(renewed('bob', 'ada')).subject).toBe('Renew ada and bob');
  });

  it('names up to three claims, and counts more', () => {
    expect(renewalMessage(renewed('cid', 'ada', 'bob')).subject).toBe('Renew ada, bob and cid');
    expect(renewalMessage(renewed('dan', 'cid', 'ada', 'bob')).subject).toBe('Renew 4 claims');
    expect(renewalMessage(renewed('ada')).body).toEqual([
      'ada is renewed: put to sleep after 2027-01-01, deleted after 2027-03-01.',
    ]);
  });
});
