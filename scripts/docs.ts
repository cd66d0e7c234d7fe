import { mkdirSync, writeFileSync } from 'node:fs';
import { problemDocs } from '../src/report/problem-docs.ts';

/** Writes the pages of `docs/` that are generated from tables of the program. A test fails when one is stale. */
const pages: readonly (readonly [file: string, content: string])[] = [['docs/problems.md', problemDocs()]];

mkdirSync('docs', { recursive: true });
for (const [file, content] of pages) writeFileSync(file, content);
