import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sarif } from '../../src/report/sarif.ts';
import { problemCodes } from '../../src/validate/codes.ts';
import type { Place, Problem } from '../../src/validate/finding.ts';
import { version } from '../../src/version.ts';
import { runs } from '../support/runs.ts';

const somewhere: Place = {
  file: 'state/claims/ada.yaml',
  line: 3,
  column: 3,
  endLine: 3,
  endColumn: 10,
  excerpt: '  replica: 3',
};

function problem(more: Partial<Problem> = {}): Problem {
  return {
    code: 'unknown-key',
    severity: 'error',
    message: 'No.',
    remedy: 'Yes.',
    place: somewhere,
    related: [],
    ...more,
  };
}

interface Log {
  readonly version: string;
  readonly runs: readonly {
    readonly tool: {
      readonly driver: { readonly semanticVersion: string; readonly rules: readonly { readonly id: string }[] };
    };
    readonly invocations: readonly object[];
    readonly results: readonly Result[];
  }[];
}
interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly locations: readonly {
    readonly physicalLocation: { readonly artifactLocation: { readonly uri: string }; readonly region?: Region };
  }[];
}
interface Region {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

function logOf(...problems: readonly Problem[]): Log['runs'][number] {
  const log = JSON.parse(sarif(problems)) as Log;
  expect(log.version).toBe('2.1.0');
  expect(log.runs).toHaveLength(1);
  return log.runs[0] as Log['runs'][number];
}

describe('problems as SARIF 2.1.0', () => {
  it('carry place, rule, words and other places', () => {
    const related = [
      { message: 'The first.', place: { ...somewhere, line: 1, endLine: 1, excerpt: '' } },
      { message: 'Nowhere.' },
    ];
    expect(logOf(problem({ related })).results).toEqual([
      {
        ruleId: 'unknown-key',
        ruleIndex: Object.keys(problemCodes).indexOf('unknown-key'),
        level: 'error',
        message: { text: 'No.\nYes.' },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'state/claims/ada.yaml', uriBaseId: '%SRCROOT%' },
              region: { startLine: 3, startColumn: 3, endLine: 3, endColumn: 10 },
              contextRegion: { startLine: 3, endLine: 3, snippet: { text: '  replica: 3' } },
            },
          },
        ],
        relatedLocations: [
          {
            id: 0,
            message: { text: 'The first.' },
            physicalLocation: {
              artifactLocation: { uri: 'state/claims/ada.yaml', uriBaseId: '%SRCROOT%' },
              region: { startLine: 1, startColumn: 3, endLine: 1, endColumn: 10 },
            },
          },
        ],
      },
    ]);
  });
  it('have a rule for each code, with severity and help', () => {
    const { driver } = logOf().tool;
    expect(driver.semanticVersion).toBe(version);
    expect(driver.rules.map(({ id }) => id)).toEqual(Object.keys(problemCodes));
    expect(driver.rules[0]).toEqual({
      id: 'settings-missing',
      shortDescription: { text: 'No settings' },
      fullDescription: { text: expect.stringMatching(/^[^`]+$/) as string },
      help: {
        text: expect.stringMatching(/^[^`]+$/) as string,
        markdown: expect.stringContaining('`quiesce init`') as string,
      },
      defaultConfiguration: { level: 'error' },
    });
  });
  it.each([
    ['state/claims/Zoë ü#?.yaml', 'state/claims/Zo%C3%AB%20%C3%BC%23%3F.yaml'],
    ['state/claims/100%.yaml', 'state/claims/100%25.yaml'],
    ['state/claims/\ud800.yaml', 'state/claims/%EF%BF%BD.yaml'],
  ])('the path %j is a valid relative URI', (file, uri) => {
    const [result] = logOf(problem({ place: { ...somewhere, file } })).results;
    expect(result?.locations[0]?.physicalLocation.artifactLocation.uri).toBe(uri);
  });
  it('a problem that is nowhere is put on the settings, since code scanning wants a place', () => {
    const { place: _, ...nowhere } = problem();
    const [result] = logOf(nowhere).results;
    expect(result?.locations).toEqual([
      { physicalLocation: { artifactLocation: { uri: 'state/settings.yaml', uriBaseId: '%SRCROOT%' } } },
    ]);
  });
  it('long lines and too many results are cut, and said to be', () => {
    expect(sarif([problem({ place: { ...somewhere, excerpt: 'x'.repeat(100_000) } })]).length).toBeLessThan(200_000);
    const run = logOf(...Array.from({ length: 25_002 }, () => problem()));
    expect(run.results).toHaveLength(25_000);
    expect(run.invocations).toEqual([
      {
        executionSuccessful: true,
        toolExecutionNotifications: [
          { level: 'warning', message: { text: '2 more results are left out: a run may have 25000.' } },
        ],
      },
    ]);
  });
  it('keeps the rules of the format for any place', () => {
    const place = fc
      .record({
        file: fc.string({ unit: 'binary', minLength: 1 }),
        line: fc.integer({ min: 1, max: 9 }),
        column: fc.integer({ min: 1, max: 9 }),
        lines: fc.nat(3),
        columns: fc.nat(3),
        excerpt: fc.string(),
      })
      .map(({ lines, columns, ...start }) => ({
        ...start,
        endLine: start.line + lines,
        endColumn: start.column + columns,
      }));
    fc.assert(
      fc.property(place, fc.constantFrom(...(Object.keys(problemCodes) as Problem['code'][])), (where, code) => {
        const run = logOf(problem({ place: where, code }));
        const [result] = run.results;
        expect(run.tool.driver.rules[result?.ruleIndex ?? -1]?.id).toBe(result?.ruleId);
        const physical = result?.locations[0]?.physicalLocation;
        expect(physical?.artifactLocation.uri).toMatch(/^[A-Za-z0-9\-._~!'()*%/]*$/);
        const { startLine = 0, endLine = 0, startColumn = 0, endColumn = 0 } = physical?.region ?? {};
        expect(startLine >= 1 && startColumn >= 1 && endLine >= startLine && endColumn >= startColumn).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });
});
