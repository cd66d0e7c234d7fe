import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { setClaimState } from '../edit/claim.ts';
import { EditRefused } from '../edit/refused.ts';
import type { ClaimState } from '../resolve/state.ts';
import { at, type Finding } from '../validate/finding.ts';
import { locate } from '../validate/locate.ts';
import { closest } from '../validate/suggest.ts';
import { type ClaimAt, type ClaimSearch, searchClaims } from './claim-files.ts';
import { type Context, findRoot, type Status } from './context.ts';
import { bytesAt } from './on-disk.ts';
import { finish, type Outcome } from './outcome.ts';
import { replaceFiles } from './replace-files.ts';

export interface ClaimStateOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** What a command wants of claims. */
export interface StateOrder {
  readonly state: ClaimState;
  /** `goes to sleep`, behind the name. */
  readonly done: string;
  /** `sleeps already`, behind the name. */
  readonly already: string;
  readonly refuse: (claim: ClaimAt) => Finding | undefined;
  /** What else to know of a claim that changes, as a sentence. */
  readonly note?: (claim: ClaimAt) => string | undefined;
  /** Asks the person, if need be; false when the answer was no. */
  readonly confirm?: (claims: readonly ClaimAt[]) => Promise<boolean>;
}

interface Edited {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: ClaimState;
  readonly changed: boolean;
  readonly note?: string;
}

/** Sets `spec.state` of the named claims in their files: of all of them, or, if one of them cannot be, of none. */
export async function changeClaims(
  names: readonly string[],
  order: StateOrder,
  options: ClaimStateOptions,
  context: Context,
): Promise<Status> {
  const root = findRoot(context.directory);
  const wanted = [...new Set(names)];
  const search = searchClaims(root, wanted);
  const findings = wanted.flatMap((name) => refusal(name, search, order));
  if (findings.length > 0) return refuse(root, findings, options, context);

  const claims = wanted.flatMap((name) => search.found.get(name) ?? []);
  const moving = claims.filter((claim) => claim.state !== order.state);
  const texts = editAll(moving, search, order);
  if (!(texts instanceof Map)) return refuse(root, [texts], options, context);
  if (options.dryRun !== true && moving.length > 0) {
    if (order.confirm !== undefined && !(await order.confirm(moving))) {
      context.terminal.note('Not confirmed: nothing was changed.\n');
      return 1;
    }
    const failed = replaceFiles(root, texts);
    if (failed !== undefined) return refuse(root, [failed], options, context);
  }
  const diff =
    options.dryRun === true
      ? [...texts].map(([file, text]) => unified(file, search.texts.get(file) ?? '', text)).join('')
      : undefined;
  return finish(outcomeOf(claims, order, diff), options, context);
}

/** `diff` instead of a promise, where nothing was written. */
function outcomeOf(claims: readonly ClaimAt[], order: StateOrder, diff: string | undefined): Outcome {
  const edited = claims.map((claim) => editedOf(claim, order));
  const lines = edited.map(({ name, file, changed, note }) => {
    if (!changed) return `${name} ${order.already}: nothing to do.\n`;
    const said = note === undefined ? '' : `  ${note}\n`;
    return diff === undefined ? `${name} ${order.done}: ${file}\n${said}` : '';
  });
  const next = edited.some((each) => each.changed)
    ? 'Nothing happens until this is committed and merged; "quiesce plan" shows what will.\n'
    : '';
  return {
    ok: true,
    problems: [],
    json: { dryRun: diff !== undefined, claims: edited, ...(diff !== undefined && { diff }) },
    text: () => `${lines.join('')}${diff ?? next}`,
  };
}

function editedOf(claim: ClaimAt, { state, note }: StateOrder): Edited {
  const { name, file, state: from } = claim;
  const changed = from !== state;
  const said = changed ? note?.(claim) : undefined;
  return { name, file, from, to: state, changed, ...(said !== undefined && { note: said }) };
}

function refusal(name: string, search: ClaimSearch, order: StateOrder): readonly Finding[] {
  const [claim, twin] = search.found.get(name) ?? [];
  if (claim === undefined) return [unknown(name, search)];
  if (twin !== undefined) {
    return [
      {
        code: 'claim-repeated',
        at: at(twin, ['metadata', 'name']),
        message: `"${name}" is declared in ${claim.file} and in ${twin.file}.`,
        remedy: 'Remove or rename one of them first.',
      },
    ];
  }
  return claim.state === order.state ? [] : [order.refuse(claim) ?? []].flat();
}

function unknown(name: string, search: ClaimSearch): Finding {
  const file = search.unreadable.get(name);
  const near = closest(name, search.names);
  const hint = near === undefined ? 'Look for it below state/claims/.' : `Did you mean "${near}"?`;
  return {
    code: 'claim-unknown',
    at: file === undefined ? { kind: 'nowhere' } : { kind: 'file', file },
    message: `There is no claim called "${name}"${file === undefined ? '' : ` that could be read, but ${file} mentions it`}.`,
    remedy: file === undefined ? hint : 'Run "quiesce validate" to see what is wrong with that file.',
  };
}

function editAll(claims: readonly ClaimAt[], search: ClaimSearch, order: StateOrder): Map<string, string> | Finding {
  const texts = new Map<string, string>();
  for (const claim of claims) {
    try {
      const text = texts.get(claim.file) ?? search.texts.get(claim.file) ?? '';
      texts.set(claim.file, setClaimState(text, claim.name, order.state));
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error;
      return {
        code: 'edit-by-hand',
        at: at(claim, ['spec', 'state']),
        message: `${claim.file} cannot be edited without changing more than was asked for: ${error.message}.`,
        remedy: `Set \`spec.state: ${order.state}\` by hand.`,
      };
    }
  }
  return texts;
}

async function refuse(
  root: string,
  findings: readonly Finding[],
  options: ClaimStateOptions,
  context: Context,
): Promise<Status> {
  const problems = locate(findings, (file) => bytesAt(root, file));
  return finish({ ok: false, problems, json: { claims: [] }, text: () => '' }, options, context);
}

function unified(file: string, before: string, after: string): string {
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after, undefined, undefined, options);
}
