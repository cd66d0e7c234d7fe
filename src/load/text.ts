const strict = new TextDecoder('utf-8', { fatal: true });
const lenient = new TextDecoder('utf-8');

/**
 * The text of a file, without a byte order mark. The loader and `locate` both decode with this function, so that
 * character offsets mean the same to both. Bytes that are no UTF-8 become U+FFFD and the first of them is named.
 */
export interface DecodedText {
  readonly text: string;
  readonly fault?:
    | { readonly kind: 'utf-16' }
    | { readonly kind: 'bytes'; readonly offset: number; readonly byte: number };
}

export function decodeText(bytes: Uint8Array): DecodedText {
  if (isUtf16(bytes)) return { text: lenient.decode(bytes), fault: { kind: 'utf-16' } };
  try {
    return { text: strict.decode(bytes) };
  } catch {
    const text = lenient.decode(bytes);
    return { text, fault: { kind: 'bytes', ...firstInvalid(text, bytes) } };
  }
}

/** By its mark, or by the zero byte that every ASCII character has in it: state files start with one. */
function isUtf16(bytes: Uint8Array): boolean {
  const [a, b] = bytes;
  if (a === undefined || b === undefined) return false;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return true;
  return (a === 0) !== (b === 0);
}

/** Walks both sides in step: before the first invalid byte they agree; a U+FFFD that is really in the file is passed. */
function firstInvalid(text: string, bytes: Uint8Array): { readonly offset: number; readonly byte: number } {
  let byte = hasMark(bytes) ? 3 : 0;
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    if (code === 0xfffd && !isReplacementAt(bytes, byte)) return { offset, byte: bytes[byte] ?? 0 };
    byte += utf8Length(code);
  }
  return { offset: text.length, byte: bytes[bytes.length - 1] ?? 0 };
}

function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function isReplacementAt(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
}

/** Each half of a surrogate pair counts for two of its four bytes. */
function utf8Length(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code >= 0xd800 && code <= 0xdfff ? 2 : 3;
}
