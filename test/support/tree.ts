import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Every file below a folder: relative path (with `/`) → text. */
export function listTree(folder: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const walk = (inner: string): void => {
    for (const entry of readdirSync(join(folder, inner), { withFileTypes: true })) {
      const path = inner === '' ? entry.name : `${inner}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else files.set(path, readFileSync(join(folder, path), 'utf8'));
    }
  };
  walk('');
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Writes files, making the folders they need. */
export function writeTree(folder: string, files: Iterable<readonly [string, string]>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
