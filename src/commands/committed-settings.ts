import { commitTree } from '../load/commit-tree.ts';
import { loadFile } from '../load/documents.ts';
import { isReadable } from '../load/tree.ts';
import type { Settings } from '../resolve/state.ts';
import { resolveSettingsFile } from '../resolve/written.ts';
import { severityOf } from '../validate/codes.ts';
import { validateFile } from '../validate/file.ts';
import type { Finding, Problem } from '../validate/finding.ts';
import { locate } from '../validate/locate.ts';

export type SettingsAnswer =
  | { readonly kind: 'ok'; readonly settings: Settings }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] };

const path = 'state/settings.yaml';

/**
 * The settings as committed: where a commit goes must not depend on an edit that nobody has reviewed. Undefined when
 * there is no commit to look into, of which git's own words tell more.
 */
export async function committedSettings(root: string): Promise<SettingsAnswer | undefined> {
  const tree = await commitTree(root, 'HEAD');
  if (tree === undefined) return undefined;
  const exists = tree.sources.some((source) => source.path === path && isReadable(source));
  if (!exists) return refuse([missing], undefined);
  await tree.prefetch([path]);
  const bytes = tree.read(path);
  const file = loadFile(path, bytes);
  const checked = validateFile(file);
  const { value: settings, findings } = resolveSettingsFile(checked.written);
  const errors = [...file.findings, ...checked.findings, ...findings].filter(
    ({ code }) => severityOf(code) === 'error',
  );
  return settings === undefined || errors.length > 0 ? refuse(errors, bytes) : { kind: 'ok', settings };
}

const missing: Finding = {
  code: 'settings-missing',
  at: { kind: 'nowhere' },
  message: `There is no ${path} in the last commit.`,
  remedy: 'Run "quiesce init" to make one, commit it, or use -C to name the folder that holds state/.',
};

function refuse(findings: readonly Finding[], bytes: Uint8Array | undefined): SettingsAnswer {
  return { kind: 'problems', problems: locate(findings, (file) => (file === path ? bytes : undefined)) };
}
