import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadFile } from '../../src/load/documents.ts';
import type { Finding, Place, Problem } from '../../src/validate/finding.ts';
import { locate } from '../../src/validate/locate.ts';
import { runs } from '../support/runs.ts';

const file = 'state/clusters/any.yaml';

/** Bytes, text, and strings of what means something to YAML: the last go furthest into the reader. */
const piece = fc.constantFrom(
  ...'a b : - ? [ ] { } , # & * ! | > % @ " \' << --- ... ~ on 12 \\ &a *a !!x'.split(' '),
  ' ',
  '  ',
  '\n',
  '\r\n',
  '\t',
  '\u0000',
  '\u2028',
  'é',
  '😀',
  '\ufeff',
);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }).map((text) => new TextEncoder().encode(text)),
  fc.array(piece, { maxLength: 40 }).map((pieces) => new TextEncoder().encode(pieces.join(''))),
);

function places(problem: Problem): Place[] {
  return [problem, ...problem.related].flatMap(({ place }) => (place === undefined ? [] : [place]));
}

function expectInside(place: Place, content: Uint8Array): void {
  const lines = new TextDecoder()
    .decode(content)
    .split('\n')
    .map((text) => text.replace(/\r$/, ''));
  const { line, column, endLine, endColumn } = place;
  expect(line).toBeGreaterThanOrEqual(1);
  expect(endLine).toBeGreaterThanOrEqual(line);
  expect(endLine).toBeLessThanOrEqual(lines.length);
  expect(column).toBeGreaterThanOrEqual(1);
  expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
  expect(endColumn).toBeLessThanOrEqual((lines[endLine - 1]?.length ?? 0) + 1);
  if (endLine === line) expect(endColumn).toBeGreaterThanOrEqual(column);
  if (place.excerpt !== '') expect(place.excerpt).toBe(lines[line - 1]);
}

describe('whatever bytes a file has', () => {
  it('loading never throws, is quick, and every problem lies inside of the file', () => {
    fc.assert(
      fc.property(bytes, (content) => {
        const { findings, documents } = loadFile(file, content);
        const problems = locate(findings, () => content);
        for (const place of problems.flatMap(places)) expectInside(place, content);
        expect(documents.length + problems.length).toBeGreaterThan(0);
        expect(loadFile(file, content)).toEqual({ path: file, kind: 'cluster', documents, findings });
      }),
      // Quick: so many milliseconds for so many cases.
      { numRuns: runs(3000), interruptAfterTimeLimit: runs(40_000), markInterruptAsFailure: true },
    );
  });

  const path = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'x', 'spec'), fc.nat(3)), { maxLength: 4 });
  const location = fc.oneof(
    fc.record({
      kind: fc.constant('value' as const),
      file: fc.constant(file),
      document: fc.nat(2),
      path,
      on: fc.constantFrom('key' as const, 'value' as const),
    }),
    fc.record({
      kind: fc.constant('range' as const),
      file: fc.constant(file),
      start: fc.integer({ min: -5, max: 80 }),
      end: fc.integer({ min: -5, max: 80 }),
    }),
  );
  it('any finding is located inside of it', () => {
    fc.assert(
      fc.property(bytes, fc.array(location, { maxLength: 4 }), (content, locations) => {
        const findings = locations.map((at): Finding => ({ code: 'yaml-syntax', at, message: 'm', remedy: 'r' }));
        const problems = locate(findings, () => content);
        for (const place of problems.flatMap(places)) expectInside(place, content);
        expect(locate([...findings].reverse(), () => content)).toEqual(problems);
      }),
      { numRuns: runs(2000) },
    );
  });
});
