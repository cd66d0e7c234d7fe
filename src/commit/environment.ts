export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a hook or an outer git command says of *its* repository. Inherited, it would lead every command here to that
 * repository's index, objects or quarantine (`git rev-parse --local-env-vars`, and what else changes how a
 * repository is read). `GIT_CONFIG_COUNT` and `GIT_CONFIG_PARAMETERS` stay: CI passes credentials that way.
 */
const ofAnotherRepository: ReadonlySet<string> = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_DEFAULT_HASH',
  'GIT_DIR',
  'GIT_GLOB_PATHSPECS',
  'GIT_GRAFT_FILE',
  'GIT_ICASE_PATHSPECS',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_LITERAL_PATHSPECS',
  'GIT_NAMESPACE',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_QUARANTINE_PATH',
  'GIT_REFLOG_ACTION',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]);

/** Traces go to standard error, which is read here, and may hold credentials. */
const isTrace = (name: string): boolean => name.startsWith('GIT_TRACE') || name === 'GIT_CURL_VERBOSE';
/** Identity and dates of a commit that is being made around us, by a rebase for example. */
const isIdentity = (name: string): boolean => /^GIT_(AUTHOR|COMMITTER)_/.test(name);

/**
 * The environment that git runs in: the user's own (proxies, credential helpers, SSH), without what belongs to
 * another repository. Messages are English whatever the locale, because they are matched; nothing asks at a
 * terminal or opens an editor, because there may be nobody to answer.
 */
export function gitEnvironment(outer: Environment, extra: Environment = {}): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(outer)) {
    if (value === undefined || ofAnotherRepository.has(name) || isTrace(name) || isIdentity(name)) continue;
    result[name] = value;
  }
  const fixed: Environment = {
    LC_ALL: 'C',
    LANGUAGE: '',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: ':',
    GIT_OPTIONAL_LOCKS: '0',
    ...extra,
  };
  for (const [name, value] of Object.entries(fixed)) if (value !== undefined) result[name] = value;
  return result;
}
