/** Lower-case hex SHA-256 of a text. */
export type Hash = (text: string) => string;

export interface KeyInputs {
  /** Of the compiler: another version may render differently. */
  readonly version: string;
  readonly sources: readonly { readonly path: string; readonly oid: string }[];
}

/**
 * The key of everything that one state file's units depend on: its own bytes (as git's blob id), the compiler, the settings and,
 * where files beside it are rendered too (manifests, charts), theirs. Two compiles with equal keys give equal bytes,
 * so a unit whose key is in the inventory need not be rendered again, on this machine or another.
 */
export function sourceKeys(
  inputs: KeyInputs,
  hash: Hash,
): (source: { readonly path: string; readonly oid: string }) => string {
  const settings = inputs.sources.find((source) => source.path === 'state/settings.yaml')?.oid ?? '';
  const charts = assets(inputs, 'state/charts/');
  const manifests = assets(inputs, 'state/installations/', /^state\/installations\/[^/]+\//);
  const baseOf = (beside: string): string => hash(`${inputs.version}\n${settings}\n${beside}`).slice(0, 16);
  const bases = { claims: baseOf(charts), installations: baseOf(charts + manifests), others: baseOf('') };
  return ({ path, oid }) => {
    if (path.startsWith('state/claims/')) return `${bases.claims}.${oid}`;
    return `${path.startsWith('state/installations/') ? bases.installations : bases.others}.${oid}`;
  };
}

function assets(inputs: KeyInputs, folder: string, within: RegExp = /./): string {
  return inputs.sources
    .filter((source) => source.path.startsWith(folder) && within.test(source.path))
    .map((source) => `${source.path} ${source.oid}\n`)
    .join('');
}

/** For units that follow from settings and names only: everything they are rendered from is in the content. */
export function contentKey(version: string, content: unknown, settingsOid: string, hash: Hash): string {
  return hash(`${version}\n${settingsOid}\n${JSON.stringify(content)}`).slice(0, 40);
}
