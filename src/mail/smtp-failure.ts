/** What came of one attempt to hand a letter over. */
export interface SmtpFailure {
  /** `deferred`: it may work later. `refused`: the same again would be refused again. */
  readonly kind: 'deferred' | 'refused';
  /** Whether it concerns this letter, or would meet every other one as well. */
  readonly about: 'letter' | 'server';
  /** What the server or the system said, without anything secret. */
  readonly said: string;
}

/** Codes of nodemailer that say that the server, or the way to it, is the problem. */
const ofTheServer: ReadonlySet<string> = new Set([
  'ECONNECTION',
  'ECONNREFUSED',
  'EAUTH',
  'EDNS',
  'EPROXY',
  'ESOCKET',
  'ETIMEDOUT',
  'ETLS',
  'ENOAUTH',
  'EABORT',
]);
const commandsBefore: ReadonlySet<string> = new Set(['CONN', 'EHLO', 'STARTTLS', 'MAIL FROM']);
/** Of these the settings or the Secret are the cause: without a change they go on. */
const lasting: ReadonlySet<string> = new Set(['EAUTH', 'ENOAUTH', 'ETLS']);

/** What is said ends up in git and in reports; where the server stands is nobody's business there. */
const addresses = / ?(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:]*:[0-9a-f]+)(?::\d+)?/gi;

/**
 * RFC 5321: 4yz replies are for now, 5yz ones for good; except 503, which says that the session was in a wrong state.
 * Where there is no reply, the line broke or never was, and nobody knows whether the letter was taken: it is sent again.
 */
export function smtpFailure(error: unknown, hide: (text: string) => string): SmtpFailure {
  const { code = '', responseCode, command, message } = fieldsOf(error);
  const said = hide(message).replace(addresses, '').replace(/\s+/g, ' ').trim().slice(0, 300);
  const isReply = responseCode !== undefined && responseCode >= 400 && responseCode < 600;
  // What comes before any reader is named meets every letter: greeting, encryption, login, sender. 421 ends the session.
  const isAboutServer = responseCode === 421 || ofTheServer.has(code) || commandsBefore.has(command ?? '');
  const about = isAboutServer ? 'server' : 'letter';
  if (isReply) {
    const isForGood = responseCode >= 500 && responseCode !== 503;
    return { kind: isForGood ? 'refused' : 'deferred', about, said };
  }
  const isForGood = lasting.has(code) || code === 'EENVELOPE' || code === 'EMESSAGE';
  return { kind: isForGood ? 'refused' : 'deferred', about, said };
}

interface Fields {
  readonly code?: string;
  readonly responseCode?: number;
  readonly command?: string;
  readonly message: string;
}

function fieldsOf(error: unknown): Fields {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, responseCode, command } = error as Error & Record<string, unknown>;
  return {
    message: error.message,
    ...(typeof code === 'string' && { code }),
    ...(typeof responseCode === 'number' && { responseCode }),
    ...(typeof command === 'string' && { command }),
  };
}
