import { InternalError } from '../internal-error.ts';
import type { PrivateCheckout } from './checkout.ts';
import { nowhere, Stop } from './stop.ts';

/** A file below the output folder that a compile made, changed or removed. */
export interface ChangedFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly change: 'added' | 'changed' | 'removed';
}

/**
 * Puts changed files into the checkout's index and returns the id of the whole tree. Only files that the compile
 * names are taken, so nothing that lies about gets in, and byte for byte as written: no line ends are converted.
 */
export async function stageFiles(
  { git, nullId }: PrivateCheckout,
  folder: string,
  changes: readonly ChangedFile[],
): Promise<string> {
  for (const { path } of changes) requireInside(path);
  const removed = changes.filter(({ change }) => change === 'removed').map(({ path }) => `${folder}/${path}`);
  const written = changes.filter(({ change }) => change !== 'removed').map(({ path }) => `${folder}/${path}`);
  if (written.length > 0) await refuseFilters(git, written);
  const ids =
    written.length === 0
      ? []
      : (await git.run(['hash-object', '-w', '--no-filters', '--stdin-paths'], { input: lines(written) }))
          .trimEnd()
          .split('\n');
  if (ids.length !== written.length) throw new InternalError(`git hashed ${ids.length} of ${written.length} files`);
  // Removals first: a file may have to give way to a folder of the same name.
  const entries = [
    ...removed.map((path) => `0 ${nullId}\t${path}`),
    ...written.map((path, index) => `100644 ${ids[index]}\t${path}`),
  ];
  if (entries.length > 0)
    await git.run(['update-index', '--replace', '-z', '--index-info'], {
      input: entries.map((entry) => `${entry}\0`).join(''),
    });
  return (await git.run(['write-tree'])).trim();
}

/** The output folder, and each folder above it, is a folder or nothing: through a link, files would go elsewhere. */
export async function refuseOccupied({ git }: PrivateCheckout, commit: string, folder: string): Promise<void> {
  const parts = folder.split('/');
  const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  for (const path of paths) {
    const [mode] = (await git.run(['ls-tree', '-z', commit, '--', path])).split(' ');
    if (mode === undefined || mode === '' || mode === '040000') continue;
    const what = mode === '120000' ? 'a link' : mode === '160000' ? 'a submodule' : 'a file';
    throw new Stop({
      code: 'commit-path-occupied',
      at: nowhere,
      message: `${path} is ${what} on the branch that the output goes to.`,
      remedy: 'Remove it there, or choose another git.target.path.',
    });
  }
}

async function refuseFilters(git: PrivateCheckout['git'], paths: readonly string[]): Promise<void> {
  const output = await git.run(['check-attr', '-z', '--stdin', 'filter'], {
    input: paths.map((path) => `${path}\0`).join(''),
  });
  const fields = output.split('\0');
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const [path = '', , filter = ''] = fields.slice(index);
    if (filter === 'unspecified' || filter === 'unset' || filter === '') continue;
    throw new Stop({
      code: 'commit-filtered',
      at: nowhere,
      message: `.gitattributes hands ${path} to the filter "${filter}": the repository would not hold the manifests themselves.`,
      remedy: 'Exclude the output folder in .gitattributes, for example "out/** -filter -text".',
    });
  }
}

function requireInside(path: string): void {
  const parts = path.split('/');
  if (/[\n\0]/.test(path) || parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw new InternalError(`a compile named a file outside of its folder: ${JSON.stringify(path)}`);
  }
}

function lines(paths: readonly string[]): string {
  return paths.map((path) => `${path}\n`).join('');
}
