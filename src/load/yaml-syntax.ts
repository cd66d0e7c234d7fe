import { Composer, type CST, type Document, Parser } from 'yaml';

/** More than any state file needs, and few enough that neither composing nor reading can run out of stack. */
const maxDepth = 100;

/**
 * Keys are compared by our reader, since the library does it by comparing each with each: 100,000 keys take hours.
 * Tags other than those of JSON stay unresolved, so that none of them can build anything.
 */
const options = { prettyErrors: false, uniqueKeys: false, resolveKnownTags: false, logLevel: 'silent' } as const;

export type Syntax =
  | { readonly kind: 'documents'; readonly documents: readonly Document.Parsed[] }
  | { readonly kind: 'too-deep'; readonly offset: number };

/**
 * One or more documents, each with its errors. Depth is checked between the two halves of the library, because
 * composing is recursive: 50,000 times `[` would overflow the stack and abort the whole process, not just throw.
 */
export function parseYaml(text: string): Syntax {
  const tokens = [...new Parser().parse(text)];
  const offset = firstTooDeep(tokens);
  if (offset !== undefined) return { kind: 'too-deep', offset };
  return { kind: 'documents', documents: [...new Composer(options).compose(tokens, true, text.length)] };
}

interface Level {
  readonly token: CST.Token;
  readonly depth: number;
}

function firstTooDeep(tokens: readonly CST.Token[]): number | undefined {
  const open: Level[] = tokens.map((token) => ({ token, depth: 0 }));
  for (let level = open.pop(); level !== undefined; level = open.pop()) {
    if (level.depth > maxDepth) return 'offset' in level.token ? level.token.offset : 0;
    for (const token of childTokens(level.token)) open.push({ token, depth: level.depth + 1 });
  }
  return undefined;
}

function* childTokens(token: CST.Token): Generator<CST.Token> {
  if (token.type === 'document') {
    if (token.value) yield token.value;
  } else if ('items' in token) {
    for (const item of token.items) {
      if (item.key) yield item.key;
      if (item.value) yield item.value;
    }
  }
}
