import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { Sink } from './output.ts';

/** A sink that writes nothing and shows what would change, as a unified diff for each file. */
export interface DiffSink extends Sink {
  files(): readonly { readonly path: string; readonly diff: string }[];
}

/** The inventory comes as bytes and is not shown: it repeats what the other files say. */
export function openDiff(folder: string): DiffSink {
  const files: { path: string; diff: string }[] = [];
  const show = (path: string, after: string | Uint8Array | undefined): void => {
    const full = join(folder, path);
    const before = existsSync(full) ? readFileSync(full, 'utf8') : undefined;
    files.push({ path, diff: typeof after === 'object' ? '' : unified(path, before, after) });
  };
  return {
    add: (path, text) => show(path, text),
    remove: (path) => show(path, undefined),
    files: () => files,
  };
}

function unified(path: string, before: string | undefined, after: string | undefined): string {
  const name = (side: 'a' | 'b', text: string | undefined): string =>
    text === undefined ? '/dev/null' : `${side}/${path}`;
  return createTwoFilesPatch(name('a', before), name('b', after), before ?? '', after ?? '', undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
}
