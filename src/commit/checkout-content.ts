import type { CheckoutContent } from './checkout.ts';
import type { Destination } from './destination.ts';
import type { Ground } from './ground.ts';

/**
 * What a compile reads as files, where it knows the rest from git: it then gets by with a checkout of a few files,
 * however many claims there are. Files that it does not read are in the checkout's index, marked as present.
 */
export interface ReadFromDisk {
  /** Folders of the root that it does not read, because it reads `state/` from the commit `source`. */
  readonly without: readonly string[];
  /** The files of the output folder that it reads. */
  readonly output: readonly string[];
}

export interface CheckoutContents {
  readonly state: CheckoutContent;
  /** Absent where state and output share a branch, and with it a checkout. */
  readonly output?: CheckoutContent;
}

/** What the checkouts of one compile hold. Without `reads`: everything that it could possibly look at. */
export function checkoutContents(
  { path, sharesState }: Destination,
  { source, start }: Ground,
  prefix: string,
  reads: ReadFromDisk | undefined,
): CheckoutContents {
  if (reads === undefined) {
    if (sharesState) return { state: { commit: source } };
    return { state: { commit: source }, output: start === undefined ? {} : { commit: start, onDisk: [[only(path)]] } };
  }
  const unread = reads.without.map((folder) => `${prefix}${folder}`);
  const read = reads.output.map((file) => `${path}/${file}`);
  const outputOnDisk = read.length === 0 ? [] : [read.map(only)];
  const outputInIndex = [only(path), ...read.map(except)];
  if (sharesState) {
    const rest = [':(top)', ...[...unread, path].map(except)];
    const inIndexOnly = [...(unread.length === 0 ? [] : [unread.map(only)]), outputInIndex];
    return { state: { commit: source, onDisk: [rest, ...outputOnDisk], inIndexOnly } };
  }
  return {
    // The state branch may hold output of its own.
    state: { commit: source, onDisk: [[':(top)', ...[...unread, `${prefix}${path}`].map(except)]] },
    output: start === undefined ? {} : { commit: start, onDisk: outputOnDisk, inIndexOnly: [outputInIndex] },
  };
}

function only(path: string): string {
  return `:(top,literal)${path}`;
}

function except(path: string): string {
  return `:(top,exclude,literal)${path}`;
}
