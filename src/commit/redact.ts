const hidden = '***';

/** A user name alone (`git@host`, `ssh://git@host`) is no secret; over HTTP it often is a token. */
const urlCredentials = /\b((?:https?|ftps?):\/\/)[^/\s@'"]+@/gi;
const urlPassword = /\b([a-z][a-z0-9+.-]*:\/\/[^/\s:@'"]+):[^/\s@'"]+@/gi;
const queryToken = /([?&](?:[a-z_]*token|password|secret|key|sig)=)[^&\s'"]+/gi;
const header = /\b((?:proxy-)?authorization:\s*)\S+(\s+[^\s'"]+)?/gi;

/** Takes credentials out of a text that people, logs or reports will see. */
export function redact(text: string): string {
  return text
    .replace(urlCredentials, `$1${hidden}@`)
    .replace(urlPassword, `$1:${hidden}@`)
    .replace(queryToken, `$1${hidden}`)
    .replace(header, `$1${hidden}`);
}

const escapeSequence = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[ -/]*[@-~]`, 'g');

/** Without terminal escapes and other control characters: a server's message must not steer the reader's terminal. */
export function printable(text: string): string {
  let result = '';
  for (const character of text.replace(escapeSequence, '')) {
    const code = character.codePointAt(0) ?? 0;
    if (character === '\n' || character === '\t' || (code >= 32 && (code < 127 || code > 159))) result += character;
  }
  return result;
}
