import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Instant } from '../instant.ts';
import type { KeyRing } from './keys.ts';
import { style } from './style.ts';

/** A page may be open for so long before its button is pressed. */
const formLifeMs = 24 * 3600 * 1000;

/**
 * Goes into the form and comes back with the press: only who has read this page of this link has it. Without cookies
 * there is no session that another site could use; this keeps out those that post to every address they find.
 */
export function formToken({ signing }: Pick<KeyRing, 'signing'>, link: string, now: Instant): string {
  const issued = now.toString(36);
  return `${issued}.${formMac(signing.secret, link, issued)}`;
}

export function isFormToken(keys: KeyRing, text: string, { link, now }: { link: string; now: Instant }): boolean {
  const [issued = '', mac = ''] = text.split('.');
  const age = now - Number.parseInt(issued, 36);
  // A little into the future: the clocks of two replicas differ.
  if (!(age > -300_000 && age < formLifeMs)) return false;
  return keys.all.some(({ secret }) => isSame(formMac(secret, link, issued), mac));
}

function formMac(secret: KeyObject, link: string, issued: string): string {
  return createHmac('sha256', secret).update(`quiesce form\0${issued}\0${link}`).digest('base64url');
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * Whether a browser says that a request comes from elsewhere (Fetch Metadata; `Origin` where a browser has none of
 * that). What says neither is no browser, and has nobody's rights to misuse.
 */
export function isFromElsewhere(header: (name: string) => string | undefined, origin: string): boolean {
  const site = header('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin';
  const from = header('origin');
  return from !== undefined && from !== origin;
}

/** On every answer. The link is as good as a password for its claim: no cache keeps it, no other site hears of it. */
export function securityHeaders(url: string): Readonly<Record<string, string>> {
  const hash = createHash('sha256').update(style).digest('base64');
  return {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // `no-referrer` would take the origin from our own form as well.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'X-Robots-Tag': 'noindex, nofollow',
    ...(url.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
}
