import { at, type DataPath, type Finding, type Origin } from '../finding.ts';
import { shown } from '../grammar/fault.ts';
import type { WrittenHelmChart } from './claim.ts';

/** A chart is pinned, or lies where changes to it are seen. `folders` end with a slash. */
export function chartFindings(
  chart: WrittenHelmChart,
  origin: Origin,
  path: DataPath,
  folders: readonly string[],
): Finding[] {
  const isRemote = chart.repository !== undefined || chart.chart.startsWith('oci://');
  if (!isRemote) return localFindings(chart.chart, origin, path, folders);
  const findings: Finding[] = [];
  if (chart.version === undefined) {
    findings.push({
      code: 'chart-version-missing',
      at: at(origin, [...path, 'chart']),
      message: `The chart ${shown(chart.chart)} comes from elsewhere and has no version.`,
      remedy: 'Add "version" beside it.',
    });
  }
  if (chart.repository !== undefined && chart.chart.startsWith('oci://')) {
    findings.push({
      code: 'chart-path-invalid',
      at: at(origin, [...path, 'repository'], 'key'),
      message: 'An oci:// chart names its registry itself.',
      remedy: 'Remove "repository".',
    });
  }
  return findings;
}

function localFindings(chart: string, origin: Origin, path: DataPath, folders: readonly string[]): Finding[] {
  const isInside = folders.some((folder) => chart.startsWith(folder)) && !chart.split('/').includes('..');
  if (isInside) return [];
  return [
    {
      code: 'chart-path-invalid',
      at: at(origin, [...path, 'chart']),
      message: `${shown(chart)} is no chart below ${folders.join(' or ')}.`,
      remedy: 'Move the chart there, or name the "repository" that it comes from.',
    },
  ];
}
