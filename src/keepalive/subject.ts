import { sha256 } from '../load/blob.ts';
import { loadFile } from '../load/documents.ts';
import { isReadable } from '../load/tree.ts';
import { type Json, toYaml } from '../render/yaml.ts';
import type { Claim, LifecycleRecord, Settings } from '../resolve/state.ts';
import type { ResolveTools } from '../resolve/tools.ts';
import { resolveSettingsFile, resolveWritten } from '../resolve/written.ts';
import { severityOf } from '../validate/codes.ts';
import { validateFile } from '../validate/file.ts';
import type { Written } from '../validate/written.ts';
import type { StateAtTip } from '../writeback/state-at-tip.ts';

const tools: ResolveTools = { hash: sha256, stringify: (value) => toYaml(value as Json) };
const settingsFile = 'state/settings.yaml';

/** Undefined where the settings have errors: nothing can be said of any claim then. */
export async function settingsAt(state: StateAtTip): Promise<Settings | undefined> {
  const read = await writtenIn(state, settingsFile);
  if (read.kind !== 'read') return undefined;
  const { value, findings } = resolveSettingsFile(read.written);
  return findings.some(({ code }) => severityOf(code) === 'error') ? undefined : value;
}

export type SubjectAnswer =
  | { readonly kind: 'read'; readonly subject: Subject }
  /** A file that is there and has errors: what it asks for is not known. */
  | { readonly kind: 'unreadable' };

export interface Subject {
  readonly claim: Claim | undefined;
  readonly record: LifecycleRecord | undefined;
}

/** One claim and its record, and nothing else of the state. */
export async function subjectAt(state: StateAtTip, name: string, settings: Settings): Promise<SubjectAnswer> {
  const claim = await claimNamed(state, name, settings);
  const record = await valueIn(state, recordFile(name), settings);
  if (claim.kind === 'unreadable' || record.kind === 'unreadable') return { kind: 'unreadable' };
  return {
    kind: 'read',
    subject: {
      claim: claim.kind === 'claim' ? claim.value : undefined,
      record: record.kind === 'record' ? record.value : undefined,
    },
  };
}

export function recordFile(name: string): string {
  return `state/records/${name}.yaml`;
}

/** By its file's name; of claims of the older system, which may have others, by looking into each. */
async function claimNamed(state: StateAtTip, name: string, settings: Settings): Promise<Value> {
  const claims = state.tree.sources
    .filter(({ path }) => /^state\/claims\/.*\.ya?ml$/.test(path))
    .map(({ path }) => path);
  const named = claims.find((path) => path.slice(path.lastIndexOf('/') + 1).replace(/\.ya?ml$/, '') === name);
  if (named !== undefined) {
    const value = await valueIn(state, named, settings);
    if (value.kind !== 'claim' || value.value.name === name) return value;
  }
  await state.tree.prefetch(claims);
  for (const path of claims) {
    const value = await valueIn(state, path, settings);
    if (value.kind === 'claim' && value.value.name === name) return value;
  }
  return { kind: 'none' };
}

type Value =
  | { readonly kind: 'claim'; readonly value: Claim }
  | { readonly kind: 'record'; readonly value: LifecycleRecord }
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable' };

async function valueIn(state: StateAtTip, path: string, settings: Settings): Promise<Value> {
  const read = await writtenIn(state, path);
  if (read.kind !== 'read') return read;
  const { values } = resolveWritten(read.written, settings, tools);
  const [value] = values;
  return value?.kind === 'claim' || value?.kind === 'record' ? value : { kind: 'unreadable' };
}

type Read =
  | { readonly kind: 'read'; readonly written: readonly Written[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'unreadable' };

async function writtenIn({ tree }: StateAtTip, path: string): Promise<Read> {
  const source = tree.sources.find((each) => each.path === path);
  if (source === undefined) return { kind: 'none' };
  if (!isReadable(source)) return { kind: 'unreadable' };
  await tree.prefetch([path]);
  const file = loadFile(path, tree.read(path));
  const { written, findings } = validateFile(file);
  const hasErrors = [...file.findings, ...findings].some(({ code }) => severityOf(code) === 'error');
  return hasErrors || written.length === 0 ? { kind: 'unreadable' } : { kind: 'read', written };
}
