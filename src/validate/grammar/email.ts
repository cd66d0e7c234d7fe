import { type Fault, shown } from './fault.ts';

/** The letters RFC 5322 allows outside quotes, and those of RFC 6531 beyond ASCII. */
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\uffff-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\uffff-]+)*$/;
const domainLabel = /^[A-Za-z0-9\u0080-\uffff](?:[A-Za-z0-9\u0080-\uffff-]{0,61}[A-Za-z0-9\u0080-\uffff])?$/;

/**
 * A bare address that a mail server can be given: no display name, no quotes, no comments, no line breaks (they would
 * add headers). A domain without a dot is refused: it is nearly always cut off.
 */
export function emailFault(text: string): Fault | undefined {
  const sign = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(sign, 0));
  const labels = text.slice(sign + 1).split('.');
  const fits = text.length <= 254 && local.length <= 64;
  if (
    sign > 0 &&
    fits &&
    localPart.test(local) &&
    labels.length > 1 &&
    labels.every((part) => domainLabel.test(part))
  ) {
    return undefined;
  }
  return {
    code: 'email-invalid',
    message: `${shown(text)} is no mail address.`,
    remedy: /<[^<>]+>/.test(text)
      ? 'Write only what stands between "<" and ">".'
      : 'Write for example "ada@example.edu".',
  };
}
