import type { LifecycleClaim, LifecycleInstallation } from '../lifecycle/decision.ts';
import { sha256 } from '../load/blob.ts';
import { loadFile, type SourceKind, sourceKind } from '../load/documents.ts';
import type { Tree } from '../load/tree.ts';
import type { InventoryLine } from '../plan/inventory.ts';
import { type Json, toYaml } from '../render/yaml.ts';
import type { LifecycleRecord, Settings } from '../resolve/state.ts';
import type { ResolveTools } from '../resolve/tools.ts';
import { type ResolvedDocument, resolveSettingsFile, resolveWritten } from '../resolve/written.ts';
import { severityOf } from '../validate/codes.ts';
import { validateFile } from '../validate/file.ts';
import type { Finding, Problem } from '../validate/finding.ts';
import { locate } from '../validate/locate.ts';
import { readOwnRecord } from '../writeback/own-record.ts';
import { type CommittedState, compiledLines, knownClaims } from './known-claims.ts';

/** What the runner decides on, as far as it stands in git. */
export interface StateInput {
  readonly settings: Settings;
  readonly claims: readonly LifecycleClaim[];
  readonly installations: readonly LifecycleInstallation[];
  readonly records: ReadonlyMap<string, LifecycleRecord>;
  /** Names about which nothing may be decided, because a file of theirs cannot be read. */
  readonly unreadable: ReadonlySet<string>;
  /** Names in the inventory of the last compile; undefined when that is not known. */
  readonly compiled: ReadonlySet<string> | undefined;
  /** Files of claims that were not read, because the inventory says what is in them. */
  readonly unread: ReadonlySet<string>;
  /** What is wrong with those files. They hold up nobody else. */
  readonly problems: readonly Problem[];
}

export type StateInputAnswer =
  | { readonly kind: 'ok'; readonly input: StateInput }
  /** Without settings nothing is known. */
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] };

const tools: ResolveTools = { hash: sha256, stringify: (value) => toYaml(value as Json) };
const settingsPath = 'state/settings.yaml';
const read: readonly SourceKind[] = ['claim', 'installation', 'record'];

/**
 * The claims, installations and records of a state. One file with an error leaves out what it tells of, and no more.
 * Claims that the inventory knows are taken from there, but for the files in `inFull`.
 */
export async function readStateInput(state: CommittedState, inFull?: ReadonlySet<string>): Promise<StateInputAnswer> {
  const { tree } = state;
  const present = new Set(tree.sources.filter(({ link }) => link === undefined).map(({ path }) => path));
  const bytesOf = (path: string) => (present.has(path) ? tree.read(path) : undefined);
  if (present.has(settingsPath)) await tree.prefetch([settingsPath]);
  const { value: settings, findings } = present.has(settingsPath) ? readSettings(tree) : { findings: [noSettings] };
  if (settings === undefined) return { kind: 'problems', problems: locate(findings, bytesOf) };
  const paths = [...present].filter((path) => read.includes(sourceKind(path)));
  // Records are read in any case: they come while the inventory is asked for.
  const [lines] = await Promise.all([
    compiledLines(state, settings),
    tree.prefetch(paths.filter((path) => sourceKind(path) === 'record')),
  ]);
  const known = knownClaims(tree.sources, lines ?? []);
  const isKnown = (path: string) => known.has(path) && inFull?.has(path) !== true;
  await tree.prefetch(paths.filter((path) => !isKnown(path)));
  const gathered = new Gathered();
  for (const path of paths) {
    const claim = isKnown(path) ? known.get(path) : undefined;
    if (claim === undefined) gathered.add(path, readFile(path, tree, settings));
    else gathered.addKnown(claim);
  }
  const problems = locate(gathered.findings, bytesOf);
  return { kind: 'ok', input: { settings, ...gathered.result(), compiled: compiledNames(lines), problems } };
}

/** Names of claims and installations that the last compile knew; undefined where there is no telling. */
function compiledNames(lines: readonly InventoryLine[] | undefined): ReadonlySet<string> | undefined {
  if (lines === undefined) return undefined;
  return new Set(
    lines.flatMap(({ facts }) => (facts.kind === 'claim' || facts.kind === 'installation' ? [facts.name] : [])),
  );
}

const noSettings: Finding = {
  code: 'settings-missing',
  at: { kind: 'nowhere' },
  message: `There is no ${settingsPath}.`,
  remedy: 'Run "quiesce init" to make one, and push it.',
};

function readSettings(tree: Tree): { readonly value?: Settings; readonly findings: readonly Finding[] } {
  const file = loadFile(settingsPath, tree.read(settingsPath));
  const checked = validateFile(file);
  const { value, findings } = resolveSettingsFile(checked.written);
  const errors = [...file.findings, ...checked.findings, ...findings].filter(isError);
  return value === undefined || errors.length > 0 ? { findings: errors } : { value, findings: [] };
}

interface ReadFile {
  readonly values: readonly ResolvedDocument[];
  readonly errors: readonly Finding[];
}

function readFile(path: string, tree: Tree, settings: Settings): ReadFile {
  const bytes = tree.read(path);
  const own = sourceKind(path) === 'record' ? readOwnRecord(path, bytes) : undefined;
  const file = own ?? loadFile(path, bytes);
  const checked = validateFile(file);
  const { values, findings } = resolveWritten(checked.written, settings, tools);
  return { values, errors: [...file.findings, ...checked.findings, ...findings].filter(isError) };
}

function isError({ code }: Finding): boolean {
  return severityOf(code) === 'error';
}

/** Of ten thousand claims only what the decider looks at is kept. */
class Gathered {
  readonly findings: Finding[] = [];
  readonly #claims = new Map<string, LifecycleClaim>();
  readonly #installations = new Map<string, LifecycleInstallation>();
  readonly #records = new Map<string, LifecycleRecord>();
  readonly #unreadable = new Set<string>();
  readonly #unread = new Set<string>();
  #isSubjectUnread = false;

  add(path: string, { values, errors }: ReadFile): void {
    if (errors.length > 0 || values.length === 0) {
      this.findings.push(...errors);
      this.#unreadable.add(stemOf(path));
      for (const { value } of values) if ('name' in value) this.#unreadable.add(value.name);
      if (sourceKind(path) !== 'record') this.#isSubjectUnread = true;
      return;
    }
    for (const document of values) this.#addOne(document);
  }

  addKnown(claim: LifecycleClaim): void {
    this.#unread.add(claim.origin.file);
    this.#addSubject(this.#claims, claim.name, claim);
  }

  #addOne({ kind, value }: ResolvedDocument): void {
    if (kind === 'record') this.#records.set(value.name, value);
    else if (kind === 'claim') this.#addSubject(this.#claims, value.name, slimClaim(value));
    else if (kind === 'installation') {
      const { origin, name, cluster, state } = value;
      this.#addSubject(this.#installations, name, { origin, name, cluster, state });
    }
  }

  /** Of two with one name, nobody knows which one is meant. */
  #addSubject<T>(known: Map<string, T>, name: string, subject: T): void {
    if (known.has(name)) this.#unreadable.add(name);
    known.set(name, subject);
  }

  result(): Pick<StateInput, 'claims' | 'installations' | 'records' | 'unreadable' | 'unread'> {
    const claims = [...this.#claims.values()];
    const installations = [...this.#installations.values()];
    const unreadable = new Set(this.#unreadable);
    // A file that cannot be read may be about anything: then no record is one of something that is gone.
    if (this.#isSubjectUnread) {
      for (const name of this.#records.keys()) {
        if (!this.#claims.has(name) && !this.#installations.has(name)) unreadable.add(name);
      }
    }
    return { claims, installations, records: this.#records, unreadable, unread: this.#unread };
  }
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.ya?ml$/, '');
}

function slimClaim(claim: LifecycleClaim): LifecycleClaim {
  const { origin, name, cluster, owners, state, expiry, extendedUntil, schedules, identity, renewedAt } = claim;
  return {
    origin,
    name,
    cluster,
    owners,
    state,
    expiry,
    schedules,
    protected: claim.protected,
    identity,
    ...(extendedUntil !== undefined && { extendedUntil }),
    ...(renewedAt !== undefined && { renewedAt }),
  };
}
