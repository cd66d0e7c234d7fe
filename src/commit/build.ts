import { join } from 'node:path';
import { version } from '../version.ts';
import { checkOut, type PrivateCheckout } from './checkout.ts';
import { checkoutContents, type ReadFromDisk } from './checkout-content.ts';
import { type Author, createCommit } from './commit-object.ts';
import type { Destination } from './destination.ts';
import { type Ground, groundFor } from './ground.ts';
import { idAt } from './history.ts';
import type { MessageParts } from './message.ts';
import type { BuildResult } from './push-loop.ts';
import type { Repository } from './repository.ts';
import { type ChangedFile, refuseOccupied, stageFiles } from './stage.ts';
import type { Tips } from './tips.ts';
import type { Workplace } from './workplace.ts';

/** What is to be compiled, as folders that nobody else uses. */
export interface CompileRequest {
  /** Holds `state/` of exactly the commit `source`. */
  readonly root: string;
  /** Holds what the destination has now, to be brought up to date in place. */
  readonly out: {
    readonly root: string;
    /** Relative to that root, with `/`; may not exist yet. */
    readonly folder: string;
  };
  readonly source: string;
  /** From 1. */
  readonly attempt: number;
}

export type CompileAnswer<Problems> =
  | {
      readonly kind: 'ok';
      readonly changes: readonly ChangedFile[];
      readonly message: { readonly subject: string; readonly body: readonly string[] };
    }
  | { readonly kind: 'problems'; readonly problems: Problems };

export type Compile<Problems> = (request: CompileRequest) => Promise<CompileAnswer<Problems>>;

/** A commit that exists, but that no branch has yet. */
export interface Built {
  readonly commit: string;
  readonly source: string;
  readonly subject: string;
  readonly changes: readonly ChangedFile[];
}

/** Why there is no commit. */
export type Nothing<Problems> =
  /** `isPublished`: the branch at the destination has it too; else commits of the user are missing there. */
  | { readonly kind: 'unchanged'; readonly source: string; readonly isPublished: boolean }
  | { readonly kind: 'superseded'; readonly by: string }
  | { readonly kind: 'problems'; readonly problems: Problems }
  | {
      readonly kind: 'would-commit';
      readonly source: string;
      readonly subject: string;
      readonly changes: readonly ChangedFile[];
    };

export interface BuildInputs<Problems> {
  readonly repository: Repository;
  readonly place: Workplace;
  readonly destination: Destination;
  readonly stateBranch: string;
  readonly author: Author;
  readonly compile: Compile<Problems>;
  readonly reads?: ReadFromDisk;
  readonly dryRun: boolean;
  readonly folder: string;
  readonly tips: Tips;
  readonly attempt: number;
  readonly tell: (stage: 'compile' | 'commit') => void;
}

/** Compiles on what the destination holds now, and makes a commit of what changed. */
export async function buildCommit<Problems>(
  inputs: BuildInputs<Problems>,
): Promise<BuildResult<Built, Nothing<Problems>>> {
  const answer = await groundFor(inputs);
  if (answer.kind === 'superseded') return { kind: 'nothing', because: answer };
  const { ground } = answer;
  const { checkout, compiled } = await compileOn(inputs, ground);
  if (compiled.kind === 'problems') return { kind: 'nothing', because: compiled };
  inputs.tell('commit');
  const { path } = inputs.destination;
  const tree = await stageFiles(checkout, path, compiled.changes);
  const { source } = ground;
  if (await hasSameOutput(checkout, tree, ground, path))
    return { kind: 'nothing', because: { kind: 'unchanged', source, isPublished: isPublished(inputs, ground) } };
  const subject = compiled.message.subject.trim() || defaultSubject(inputs.destination, ground);
  const { changes } = compiled;
  if (inputs.dryRun) return { kind: 'nothing', because: { kind: 'would-commit', source, subject, changes } };
  const message: MessageParts = { subject, body: compiled.message.body, trailers: trailersFor(source) };
  const content = { tree, parents: ground.parents, author: inputs.author, message, config: inputs.repository.config };
  return { kind: 'commit', built: { commit: await createCommit(inputs.place.git, content), source, subject, changes } };
}

interface Prepared {
  readonly checkout: PrivateCheckout;
  readonly request: CompileRequest;
}

/**
 * Compiles on as few files as it says it needs. What does not end well there, for example because a file that is in
 * the way has to be looked at, is compiled again with all files, and that answer counts.
 */
async function compileOn<Problems>(
  inputs: BuildInputs<Problems>,
  ground: Ground,
): Promise<{ readonly checkout: PrivateCheckout; readonly compiled: CompileAnswer<Problems> }> {
  inputs.tell('compile');
  const { reads } = inputs;
  if (reads !== undefined) {
    const { checkout, request } = await prepare(inputs, ground, reads);
    const compiled = await inputs.compile(request).catch(() => undefined);
    if (compiled?.kind === 'ok') return { checkout, compiled };
  }
  const { checkout, request } = await prepare(inputs, ground);
  return { checkout, compiled: await inputs.compile(request) };
}

/** One checkout where state and output share a branch; else one for each, the output's with nothing but its folder. */
async function prepare<Problems>(
  { repository, place, destination, folder, attempt }: BuildInputs<Problems>,
  ground: Ground,
  reads?: ReadFromDisk,
): Promise<Prepared> {
  const { path } = destination;
  const { prefix } = repository;
  const { start, source } = ground;
  const contents = checkoutContents(destination, ground, prefix, reads);
  const state = await checkOut(contents.output === undefined ? place : repository, folder, contents.state);
  const checkout = contents.output === undefined ? state : await checkOut(place, folder, contents.output);
  if (start !== undefined) await refuseOccupied(checkout, start, path);
  const root = join(state.dir, prefix);
  const out = checkout === state ? { root, folder: path.slice(prefix.length) } : { root: checkout.dir, folder: path };
  return { checkout, request: { root, out, source, attempt } };
}

async function hasSameOutput(
  { git }: PrivateCheckout,
  tree: string,
  { against }: Ground,
  path: string,
): Promise<boolean> {
  const before = against === undefined ? undefined : await idAt(git, against, path);
  return before === (await idAt(git, tree, path));
}

/** What is compared with may be the user's own branch, when that is ahead of the destination. */
function isPublished({ repository, destination, tips }: BuildInputs<unknown>, { against }: Ground): boolean {
  return against !== repository.head || tips.get(destination.base) === against;
}

function trailersFor(source: string): MessageParts['trailers'] {
  return [
    { key: 'Quiesce-Source', value: source },
    { key: 'Quiesce-Version', value: version },
  ];
}

function defaultSubject({ review, base }: Destination, { parents }: Ground): string {
  return parents.length > 1 ? `Bring ${review ?? 'the branch'} up to date with ${base}` : 'Compile state';
}
