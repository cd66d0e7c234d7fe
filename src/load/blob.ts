import { createHash } from 'node:crypto';

/** Git's id of these bytes as a blob: lets a file on disk be compared with git's index without asking git. */
export function blobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex');
}

/** Lower-case hex SHA-256 of UTF-8 text. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
