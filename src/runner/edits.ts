import { setClaimState } from '../edit/claim.ts';
import { EditRefused } from '../edit/refused.ts';
import type { Decision, Hold } from '../lifecycle/decision.ts';
import { recordText } from '../writeback/record-text.ts';
import type { FileEdit } from '../writeback/stage-edits.ts';
import type { StateAtTip } from '../writeback/state-at-tip.ts';

export interface Edits {
  readonly edits: readonly FileEdit[];
  /** Decisions that are carried out by them. */
  readonly done: readonly Decision[];
  /** Files that only a person can change: the decision stands, and comes again with the next run. */
  readonly refused: readonly { readonly name: string; readonly file: string; readonly why: string }[];
}

/**
 * Decisions as edits of files. A decision is carried out as a whole or not at all: a record that tells of an order must
 * not be there without the order.
 */
export async function editsFor(state: StateAtTip, decisions: readonly Decision[]): Promise<Edits> {
  await state.tree.prefetch(decisions.flatMap((decision) => filesOf(decision)).filter(existsIn(state)));
  const all: FileEdit[] = [];
  const done: Decision[] = [];
  const refused: Edits['refused'][number][] = [];
  for (const decision of decisions) {
    if (filesOf(decision).length === 0) continue;
    try {
      all.push(...(await editsOf(state, decision)));
      done.push(decision);
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error;
      refused.push({ name: decision.name, file: filesOf(decision)[0] ?? '', why: error.message });
    }
  }
  return { edits: all, done, refused };
}

function existsIn({ tree }: StateAtTip): (path: string) => boolean {
  const paths = new Set(tree.sources.filter(({ link }) => link === undefined).map(({ path }) => path));
  return (path) => paths.has(path);
}

function filesOf({ state, remove, record }: Decision): readonly string[] {
  return [state?.file, remove?.file, recordFile(record)].filter((file) => file !== undefined);
}

function recordFile(record: Decision['record']): string | undefined {
  if (record === undefined) return undefined;
  return record.kind === 'remove' ? record.file : record.record.origin.file;
}

async function editsOf(at: StateAtTip, { name, state, remove, record }: Decision): Promise<FileEdit[]> {
  const edits: FileEdit[] = [];
  if (state !== undefined) {
    const text = await at.text(state.file);
    if (text === undefined) throw new EditRefused('it is not there');
    edits.push({ path: state.file, text: setClaimState(text, name, state.to) });
  }
  if (remove !== undefined) edits.push({ path: remove.file, text: undefined });
  if (record?.kind === 'remove') edits.push({ path: record.file, text: undefined });
  if (record?.kind === 'write') {
    const { file } = record.record.origin;
    edits.push({ path: file, text: recordText(await at.text(file), record.record) });
  }
  return edits;
}

/** For people: why something that is due is not done. */
export function holdLines(holds: readonly (Hold & { readonly name?: string })[]): readonly string[] {
  return holds.map(({ name, code, message }) => `${name === undefined ? '' : `${name}: `}${message} (${code})`);
}
