import { textOf } from './chunks.ts';

/**
 * Reads a list of the API server as it arrives and hands out one item after the other, as text. A page of 500 Pods with
 * their managed fields is some megabytes, and many times that as objects; this way none but one is there at a time.
 *
 * It relies on the answer being JSON and looks only at strings and brackets; what an item says is JSON.parse's business.
 */
export interface ListReader {
  push(chunk: Buffer): void;
  /** Everything but the items, once the answer is complete. */
  end(): string;
}

interface State {
  depth: number;
  inString: boolean;
  isEscaped: boolean;
  /** At depth 1: the last string that was read, which is the key where a list begins. */
  key: Buffer[];
  /** Between the brackets of `items`: objects at depth 3 and below, commas at depth 2. */
  inItems: boolean;
  item: Buffer[];
  envelope: Buffer[];
}

export function readList(onItem: (text: string) => void): ListReader {
  const state: State = {
    depth: 0,
    inString: false,
    isEscaped: false,
    key: [],
    inItems: false,
    item: [],
    envelope: [],
  };
  return { push: (chunk) => push(state, chunk, onItem), end: () => textOf(state.envelope) };
}

const quote = 0x22;
const backslash = 0x5c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

function push(state: State, chunk: Buffer, onItem: (text: string) => void): void {
  let from = 0;
  for (let at = state.inString ? endOfString(state, chunk, 0) + 1 : 0; at < chunk.length; at += 1) {
    switch (chunk[at]) {
      case quote:
        if (state.depth === 1) state.key = [];
        state.inString = true;
        at = endOfString(state, chunk, at + 1);
        break;
      case openList:
        if (state.depth === 1 && textOf(state.key) === 'items') {
          from = keep(state, chunk, from, at + 1);
          state.inItems = true;
        }
        state.depth += 1;
        break;
      case openObject:
        if (state.inItems && state.depth === 2) from = at;
        state.depth += 1;
        break;
      case closeObject:
        if (state.inItems && state.depth === 3) {
          from = keep(state, chunk, from, at + 1);
          onItem(textOf(state.item));
          state.item = [];
        }
        state.depth -= 1;
        break;
      case closeList:
        state.depth -= 1;
        if (state.inItems && state.depth === 1) {
          state.inItems = false;
          from = at;
        }
        break;
    }
  }
  keep(state, chunk, from, chunk.length);
}

/** What is between two items belongs to neither, nor to the envelope. */
function keep({ inItems, depth, item, envelope }: State, chunk: Buffer, from: number, to: number): number {
  if (!inItems) envelope.push(chunk.subarray(from, to));
  else if (depth > 2) item.push(chunk.subarray(from, to));
  return to;
}

/** Where the string ends that `from` is in; the chunk's length if it goes on in the next one. */
function endOfString(state: State, chunk: Buffer, from: number): number {
  let at = state.isEscaped ? from + 1 : from;
  let end = chunk.indexOf(quote, at);
  while (end !== -1 && isEscapedAt(chunk, end, at)) {
    at = end + 1;
    end = chunk.indexOf(quote, at);
  }
  state.inString = end === -1;
  if (end === -1) {
    state.isEscaped = from < chunk.length ? isEscapedAt(chunk, chunk.length, at) : state.isEscaped;
    end = chunk.length;
  } else state.isEscaped = false;
  if (state.depth === 1) state.key.push(chunk.subarray(from, end));
  return end;
}

/** An odd number of backslashes stands before it, back to where the string is known to be outside of an escape. */
function isEscapedAt(chunk: Buffer, at: number, from: number): boolean {
  let first = at;
  while (first > from && chunk[first - 1] === backslash) first -= 1;
  return (at - first) % 2 === 1;
}
