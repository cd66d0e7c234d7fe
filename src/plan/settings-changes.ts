import type { Change } from './change.ts';
import { type DangerKind, danger } from './danger.ts';
import type { SettingsFacts } from './facts.ts';

/** Why some settings deserve a second look, by the beginning of their path. */
const looks: readonly (readonly [path: RegExp, kind: DangerKind, why: string])[] = [
  [
    /^name$/,
    'instance-wide',
    'every object of the appliers gets another name: they drop what they applied, and apply it anew',
  ],
  [
    /^git\.(?:url|branch|target\.)/,
    'instance-wide',
    'the appliers look elsewhere, once somebody applies the bootstrap again',
  ],
  [
    /^clusters\.[^.]+\.(?:applier|applierNamespace|server)$/,
    'instance-wide',
    'another applier, or another cluster, takes over what runs',
  ],
  [/^images\./, 'instance-wide', 'the programs that watch over everything are replaced'],
  [/^deletion\./, 'guard-changed', 'other people may delete claims'],
  [/^removal\./, 'guard-changed', 'the guard against mass removal changes'],
  [/^policy\./, 'guard-changed', 'what needs an approval changes; the rules from before still hold for this change'],
  [/^(?:mail|keepalive)\b/, 'guard-changed', 'owners are warned in another way, or not at all'],
  [/^expiry\./, 'instance-wide', 'claims without terms of their own expire at other times'],
];

/** One change for each setting. The first settings of all are no change: what they bring shows as itself. */
export function settingsChanges(
  before: SettingsFacts | undefined,
  after: SettingsFacts | undefined,
): readonly Change[] {
  if (before === undefined || after === undefined) return [];
  const paths = new Set([...Object.keys(before.values), ...Object.keys(after.values)]);
  return [...paths].flatMap((path): Change[] => {
    const [old, now] = [before.values[path], after.values[path]];
    if (old === now) return [];
    const [, kind, why] = looks.find(([pattern]) => pattern.test(path)) ?? [];
    return [
      {
        kind: 'settings-changed',
        subject: { kind: 'system', name: path, cluster: '' },
        text: settingText(path, old, now),
        dangers: kind === undefined || why === undefined ? [] : danger(kind, why),
        unit: 'settings',
      },
    ];
  });
}

function settingText(path: string, old: string | undefined, now: string | undefined): string {
  if (old === undefined) return `Setting ${path} is now ${now}.`;
  if (now === undefined) return `Setting ${path} is no longer set (it was ${old}).`;
  return `Setting ${path} changes from ${old} to ${now}.`;
}
