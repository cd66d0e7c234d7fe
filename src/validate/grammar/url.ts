import { type Fault, shown } from './fault.ts';

/** `user@host:path`, as git reads it. */
const scpLike = /^[A-Za-z0-9._-]+@[A-Za-z0-9.-]+:(?!\/\/)[^\s]+$/;

export function httpsUrlFault(text: string): Fault | undefined {
  const url = parse(text);
  if (url === undefined) return malformed(text, 'https://host.example.edu');
  if (url.protocol !== 'https:') return fault(text, 'it must begin with "https://"', 'Use https.');
  return secretFault(text, url);
}

/** An https URL without path, query or fragment. */
export function originUrlFault(text: string): Fault | undefined {
  const found = httpsUrlFault(text);
  if (found !== undefined) return found;
  const url = parse(text);
  if (url === undefined || (url.pathname === '/' && url.search === '' && url.hash === '')) return undefined;
  return fault(text, 'only scheme, host and port are allowed', `Write "${url.origin}".`);
}

/** What git clones from: https, ssh, file or `user@host:path`. */
export function gitUrlFault(text: string): Fault | undefined {
  if (scpLike.test(text)) return undefined;
  const url = parse(text);
  if (url === undefined) return malformed(text, 'https://git.example.edu/platform/state.git');
  if (!['https:', 'http:', 'ssh:', 'file:'].includes(url.protocol)) {
    return fault(text, `git is not fetched over ${shown(url.protocol.slice(0, -1))}`, 'Use https or ssh.');
  }
  return secretFault(text, url);
}

/** A chart repository: https, http or oci. */
export function repositoryUrlFault(text: string): Fault | undefined {
  const url = parse(text);
  if (url === undefined) return malformed(text, 'https://charts.example.edu');
  if (!['https:', 'http:', 'oci:'].includes(url.protocol))
    return fault(text, 'Helm fetches over https and oci', 'Use https.');
  return secretFault(text, url);
}

function parse(text: string): URL | undefined {
  // The URL parser drops blanks and line breaks without a word; they are mistakes here.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text);
}

function secretFault(text: string, url: URL): Fault | undefined {
  if (url.password === '') return undefined;
  return {
    code: 'url-with-secret',
    message: `The URL for ${shown(url.host)} holds a password; the state is public to everybody who can read the repository.`,
    remedy: `Write ${shown(text.replace(/\/\/[^/@]*@/, '//'))} and put the credentials into a Secret. Change the password.`,
  };
}

function malformed(text: string, example: string): Fault {
  return fault(text, 'it cannot be read', `Write for example "${example}".`);
}

function fault(text: string, why: string, remedy: string): Fault {
  return { code: 'url-invalid', message: `${shown(text)} is no URL that can be used here: ${why}.`, remedy };
}
