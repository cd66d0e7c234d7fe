import { createHash } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Instant } from '../instant.ts';
import type { KeyRing } from './keys.ts';

/** What a link is for, and for nothing else. Instants are whole seconds. */
export interface Link {
  readonly claim: string;
  readonly identity: string;
  /** When what the mail warned of happens; the link ends with it. */
  readonly deadline: Instant;
  readonly issuedAt: Instant;
  /** Tells the owners of the claim apart without naming one: see `ownerMark`. */
  readonly owner?: string;
}

export type CheckedLink =
  | { readonly kind: 'valid'; readonly link: Link }
  /** Signed by us, but its deadline has passed. */
  | { readonly kind: 'expired'; readonly link: Link }
  /** Signed by one of our keys, for another page. */
  | { readonly kind: 'foreign' }
  /** Signed by a key that is not here (any more, or yet). */
  | { readonly kind: 'unknown-key' }
  | { readonly kind: 'forged' };

const algorithm = 'HS256';
/** Keeps our tokens apart from any others that the same key might sign. */
const type = 'quiesce-link+jwt';
const issuer = 'quiesce';

/** Address of the page with the link's token. `url` is that of the page, from the settings. */
export async function signLink({ signing }: KeyRing, url: string, link: Link): Promise<string> {
  const { claim, identity, deadline, issuedAt, owner } = link;
  const token = await new SignJWT({ idn: identity, ...(owner !== undefined && { own: owner }) })
    .setProtectedHeader({ alg: algorithm, typ: type, kid: signing.kid })
    .setIssuer(issuer)
    .setAudience(audienceOf(url))
    .setSubject(claim)
    .setIssuedAt(Math.floor(issuedAt / 1000))
    .setExpirationTime(Math.floor(deadline / 1000))
    .sign(signing.secret);
  return `${audienceOf(url)}/renew/${token}`;
}

export async function checkLink(
  token: string,
  { keys, url, now }: { readonly keys: KeyRing; readonly url: string; readonly now: Instant },
): Promise<CheckedLink> {
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const key = keys.find(kid ?? '');
        if (key === undefined) throw new errors.JWKSNoMatchingKey();
        return key.secret;
      },
      { algorithms: [algorithm], typ: type, issuer, audience: audienceOf(url), currentDate: new Date(now) },
    );
    return resultOf('valid', payload);
  } catch (error) {
    if (error instanceof errors.JWTExpired) return resultOf('expired', error.payload);
    if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud') return { kind: 'foreign' };
    if (error instanceof errors.JWKSNoMatchingKey) return { kind: 'unknown-key' };
    if (error instanceof errors.JOSEError) return { kind: 'forged' };
    throw error;
  }
}

/** Which owner pressed the button, without an address in an address: logs of proxies keep those. */
export function ownerMark(email: string): string {
  return createHash('sha256').update(email.toLowerCase()).digest('base64url').slice(0, 8);
}

function resultOf(kind: 'valid' | 'expired', payload: Readonly<Record<string, unknown>>): CheckedLink {
  const { sub: claim, idn: identity, exp, iat, own: owner } = payload;
  const isWhole =
    typeof claim === 'string' && typeof identity === 'string' && typeof exp === 'number' && typeof iat === 'number';
  if (!isWhole) return { kind: 'forged' };
  const link = { claim, identity, deadline: exp * 1000, issuedAt: iat * 1000 };
  return { kind, link: typeof owner === 'string' ? { ...link, owner } : link };
}

/** Without the slash at its end. */
function audienceOf(url: string): string {
  return url.replace(/\/+$/, '');
}
