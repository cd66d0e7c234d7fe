import { chmodSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Finding } from '../validate/finding.ts';

/**
 * Replaces the text of files that exist: all of them or none. Each is written beside the old one and moved over it, so
 * that nobody ever reads half a file; if one cannot be written, those before it get their bytes back.
 */
export function replaceFiles(root: string, texts: ReadonlyMap<string, string>): Finding | undefined {
  const undo: (() => void)[] = [];
  for (const [file, text] of texts) {
    try {
      // A link stays a link: its target is what changes.
      const path = realpathSync(join(root, file));
      const before = readFileSync(path);
      replaceFile(path, Buffer.from(text));
      undo.push(() => replaceFile(path, before));
    } catch (error) {
      for (const step of undo.reverse()) step();
      return writeFailed(file, error, 'Nothing was changed. Free space or mend the permissions, then try again.');
    }
  }
  return undefined;
}

export function writeFailed(file: string, error: unknown, remedy: string): Finding {
  const message = `${file} could not be written: ${error instanceof Error ? error.message : String(error)}.`;
  return { code: 'write-failed', at: { kind: 'nowhere' }, message, remedy };
}

function replaceFile(path: string, bytes: Uint8Array): void {
  // The dot keeps a compile that runs at the same moment from taking it for a state file.
  const aside = join(dirname(path), `.${basename(path)}.${process.pid}`);
  try {
    writeFileSync(aside, bytes);
    chmodSync(aside, statSync(path).mode);
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}
