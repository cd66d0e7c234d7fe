import { join } from 'node:path';
import type { KnownLine } from '../plan/inventory.ts';
import type { Problem } from '../validate/finding.ts';
import { blobBytes, commitFiles, commitTree } from './commit-tree.ts';
import {
  type InventoryFile,
  inventoryName,
  openInventory,
  type PreviousInventory,
  parseInventory,
  readInventory,
} from './inventory.ts';
import { type Listing, listFiles } from './listing.ts';
import { OutputFiles } from './output-files.ts';
import type { Tree } from './tree.ts';
import { worktree } from './worktree.ts';

/** The output folder, as a folder of a checkout (usually the same one that holds `state/`). */
export interface OutputPlace {
  readonly root: string;
  /** Relative to `root`, with `/`. */
  readonly folder: string;
}

/** Everything a compile looks at: the state, what `out/` holds, and what its inventory says of it. */
export interface Checkout {
  readonly root: string;
  readonly tree: Tree;
  readonly out: OutputPlace;
  readonly outFolder: string;
  readonly inventory: PreviousInventory;
  readonly files: OutputFiles;
  /** State and tracked output of the work tree as first seen; absent where the two are not of one work tree. */
  readonly seen?: Listing;
}

export interface CheckoutOptions {
  readonly root: string;
  readonly ref?: string;
  readonly out?: OutputPlace;
  /** If it was read already. */
  readonly inventory?: InventoryFile;
}

export type CheckoutAnswer =
  | { readonly kind: 'ok'; readonly checkout: Checkout }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] };

/** The work tree's state and tracked output; undefined where the two are not of one work tree. */
export async function listWorktree({ root, ref, out }: CheckoutOptions): Promise<Listing | undefined> {
  if (ref !== undefined || (out !== undefined && out.root !== root)) return undefined;
  return listFiles(root, { all: ['state'], tracked: [out?.folder ?? 'out'] });
}

/** `seen` is what `listWorktree` answered, if it was asked before. */
export async function openCheckout(options: CheckoutOptions, seen?: Listing): Promise<CheckoutAnswer> {
  const { root, ref } = options;
  const out = options.out ?? { root, folder: 'out' };
  const base = { root, out, outFolder: join(out.root, out.folder) };
  const both = seen ?? (await listWorktree(options));
  const inventory = await readInventory(out.root, options.inventory ?? openInventory(out.root, out.folder));
  if (both !== undefined) {
    return ok({
      ...base,
      inventory,
      tree: worktree(root, both),
      files: new OutputFiles(out.root, out.folder, both),
      seen: both,
    });
  }
  const tree =
    ref === undefined
      ? worktree(root, await listFiles(root, { all: ['state'], tracked: [] }))
      : await commitTree(root, ref);
  if (tree === undefined) return { kind: 'problems', problems: [unknownRef(ref ?? '')] };
  const tracked = await listFiles(out.root, { all: [], tracked: [out.folder] });
  return ok({ ...base, inventory, tree, files: new OutputFiles(out.root, out.folder, tracked) });
}

/** A state and what the inventory beside it says, for telling what changed: the output itself is not looked at. */
export type OpenState = Pick<Checkout, 'root' | 'tree' | 'inventory'>;

export interface StateOptions {
  readonly root: string;
  /** Else the work tree. */
  readonly ref?: string;
}

/** A state whose inventory may still have to be read. */
export interface ListedState extends Pick<OpenState, 'root' | 'tree'> {
  /** Content of the inventory as git names it; absent where there is none, or git does not know it. */
  readonly inventoryOid?: string;
  /** Absent: it is a blob of git that nobody has read yet. */
  readonly inventory?: PreviousInventory;
}

const none = new Uint8Array();
const inventoryPath = `out/${inventoryName}`;

export async function listState({
  root,
  ref,
}: StateOptions): Promise<ListedState | { readonly problems: readonly Problem[] }> {
  if (ref !== undefined) {
    const files = await commitFiles(root, ref, [inventoryPath]);
    if (files === undefined) return { problems: [unknownRef(ref)] };
    return { root, tree: files.tree, ...inventoryOid(files.beside.get(inventoryPath)) };
  }
  const listed = listFiles(root, { all: ['state'], tracked: [inventoryPath] });
  // Git is at work meanwhile.
  const inventory = await readInventory(root, openInventory(root, 'out'));
  const listing = await listed;
  return { root, tree: worktree(root, listing), inventory, ...inventoryOid(listing.get(inventoryPath)?.oid) };
}

function inventoryOid(oid: string | undefined): Pick<ListedState, 'inventoryOid'> {
  return oid === undefined || oid === '' ? {} : { inventoryOid: oid };
}

/** Inventories of neighbouring states are mostly the same: then one of them is read, and both have its very lines. */
export async function withInventory(
  { inventory, inventoryOid: oid, ...state }: ListedState,
  other?: ListedState,
): Promise<OpenState> {
  if (inventory !== undefined) return { ...state, inventory };
  if (oid === undefined) return { ...state, inventory: parseInventory(none, inventoryPath) };
  const known = oid === other?.inventoryOid ? other.inventory : undefined;
  if (known?.findings.length === 0) return { ...state, inventory: known };
  return { ...state, inventory: parseInventory((await blobBytes(state.root, oid)) ?? none, inventoryPath) };
}

/** Inventory lines that describe what is really there. */
export function intactLines({ files, inventory }: Checkout): readonly KnownLine[] {
  return inventory.lines.filter(({ path, content }) => path === undefined || files.get(path)?.oid === content);
}

function ok(checkout: Checkout): CheckoutAnswer {
  return { kind: 'ok', checkout };
}

function unknownRef(ref: string): Problem {
  return {
    code: 'ref-unknown',
    severity: 'error',
    message: `Git knows no commit called "${ref}" here.`,
    remedy: 'Check the spelling; in CI, fetch it first (shallow clones lack other branches).',
    related: [],
  };
}
