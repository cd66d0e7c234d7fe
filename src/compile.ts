import { sha256 } from './load/blob.ts';
import { loadFile, sourceKind } from './load/documents.ts';
import { barredFindings } from './load/links.ts';
import { strayFinding } from './load/stray.ts';
import { decodeText } from './load/text.ts';
import { encodingFinding } from './load/text-findings.ts';
import { isReadable, type Source, type Tree } from './load/tree.ts';
import type { KnownLine } from './plan/inventory.ts';
import { contentKey, sourceKeys } from './plan/keys.ts';
import type { Unit } from './plan/unit.ts';
import { type DigestOf, derivedUnits, unitsOf, withDeclaredNodes } from './plan/units.ts';
import { type Json, toYaml } from './render/yaml.ts';
import { acrossFindings } from './resolve/across.ts';
import type { Settings } from './resolve/state.ts';
import type { ResolveTools } from './resolve/tools.ts';
import { resolveSettingsFile, resolveWritten } from './resolve/written.ts';
import { severityOf } from './validate/codes.ts';
import { validateFile } from './validate/file.ts';
import type { Finding } from './validate/finding.ts';
import { version } from './version.ts';

const settingsPath = 'state/settings.yaml';
const tools: ResolveTools = { hash: sha256, stringify: (value) => toYaml(value as Json) };

/** A state, compiled as far as it goes without rendering. */
export interface Compiled {
  /** Absent when the settings themselves have errors. */
  readonly settings?: Settings;
  /** What has to be rendered: new, changed, or damaged on disk. */
  readonly units: readonly KeyedUnit[];
  /** Inventory lines whose units need no rendering. */
  readonly reused: readonly KnownLine[];
  /** All of them, errors and warnings. With an error nothing may be written. */
  readonly findings: readonly Finding[];
}

interface KeyedUnit {
  readonly unit: Unit;
  readonly key: string;
  /** Warnings of its source, on the first unit of each. */
  readonly warnings: readonly Finding[];
}

export interface CompileInputs {
  readonly tree: Tree;
  /** Lines of the inventory that may stand in for a source that has not changed; empty for a full compile. */
  readonly reusable: readonly KnownLine[];
  /** Lines that checks across compiles look at. */
  readonly reference: readonly KnownLine[];
  readonly onProgress?: (done: number, total: number) => void;
}

/** load → validate → resolve → plan. Sources that the inventory already answers for are not read. */
export async function compile(inputs: CompileInputs): Promise<Compiled> {
  const { tree } = inputs;
  const { state: stateSources, stray, mail } = sorted(tree.sources);
  const findings: Finding[] = [
    ...barredFindings(tree.sources),
    ...stray.map(strayFinding),
    ...(await mailFindings(tree, mail)),
  ];
  const keyOf = sourceKeys({ version, sources: tree.sources }, sha256);
  const memory = groupBySource(inputs.reusable);
  const reused: KnownLine[] = [];
  // A shutdown is rendered from the cluster configs as well; there are few of both, so they are simply read.
  const isJoined = stateSources.some(({ path }) => path.startsWith('state/shutdowns/'));
  const unknown = stateSources.filter((source) => {
    const lines = memory.get(source.path);
    if (isJoined && /^state\/(?:shutdowns|clusters)\//.test(source.path)) return true;
    if (lines === undefined || lines.some((line) => line.key !== keyOf(source))) return true;
    reused.push(...lines);
    return false;
  });
  await tree.prefetch([...settingsPaths(tree), ...unknown.map((source) => source.path)]);

  const settings = readSettings(tree, findings);
  const units: KeyedUnit[] = [];
  unknown.forEach((source, index) => {
    inputs.onProgress?.(index, unknown.length);
    const result = compileSource(source, tree, settings);
    for (const finding of result.findings) findings.push(finding);
    const warnings = result.findings.filter((finding) => severityOf(finding.code) === 'warning');
    result.units.forEach((unit, position) => {
      units.push({ unit, key: keyOf(source), warnings: position === 0 ? warnings : [] });
    });
  });
  const all = units.map(({ unit }) => unit);
  for (const [index, keyed] of units.entries()) units[index] = { ...keyed, unit: withDeclaredNodes(keyed.unit, all) };
  for (const line of reused) findings.push(...(line.warnings ?? []));
  findings.push(...acrossFindings(acrossInputs(tree, units, reused, inputs.reference)));
  if (settings === undefined) return { units, reused, findings };
  return { settings, ...withDerived(inputs, settings, units, reused), findings };
}

interface Sorted {
  readonly state: readonly Source[];
  readonly stray: readonly string[];
  /** Templates. */
  readonly mail: readonly string[];
}

function sorted(sources: readonly Source[]): Sorted {
  const state: Source[] = [];
  const stray: string[] = [];
  const mail: string[] = [];
  for (const source of sources) {
    if (!isReadable(source)) continue;
    const { path } = source;
    const kind = sourceKind(path);
    if (kind === 'stray') stray.push(path);
    else if (kind !== 'asset' && kind !== 'settings') state.push(source);
    else if (path.startsWith('state/mail/') && !/\/(?:\.|README\.md$)/.test(path)) mail.push(path);
  }
  return { state, stray, mail };
}

/** Their author hears of it here; the runner can only send other words instead. */
async function mailFindings(tree: Tree, paths: readonly string[]): Promise<Finding[]> {
  if (paths.length === 0) return [];
  const { templateFindings } = await import('./mail/template-findings.ts');
  await tree.prefetch(paths);
  return paths.flatMap((path) => {
    const { text, fault } = decodeText(tree.read(path));
    return fault === undefined ? templateFindings(path, text) : [encodingFinding(path, fault)];
  });
}

function settingsPaths({ sources }: Tree): readonly string[] {
  return sources.some((source) => source.path === settingsPath && isReadable(source)) ? [settingsPath] : [];
}

function groupBySource(lines: readonly KnownLine[]): ReadonlyMap<string, readonly KnownLine[]> {
  const groups = new Map<string, KnownLine[]>();
  for (const line of lines) {
    const group = groups.get(line.source);
    if (group === undefined) groups.set(line.source, [line]);
    else group.push(line);
  }
  return groups;
}

function readSettings(tree: Tree, findings: Finding[]): Settings | undefined {
  const [path] = settingsPaths(tree);
  if (path === undefined) {
    findings.push({
      code: 'settings-missing',
      at: { kind: 'nowhere' },
      message: `There is no ${settingsPath}.`,
      remedy: 'Run "quiesce init" to make one, or use -C to name the folder that holds state/.',
    });
    return undefined;
  }
  const file = loadFile(path, tree.read(path));
  const checked = validateFile(file);
  const resolved = resolveSettingsFile(checked.written);
  findings.push(...file.findings, ...checked.findings, ...resolved.findings);
  return resolved.value;
}

/** One state file to its units. Without settings it is validated by itself only, so that all problems show at once. */
function compileSource(
  source: Source,
  tree: Tree,
  settings: Settings | undefined,
): { units: Unit[]; findings: Finding[] } {
  const file = loadFile(source.path, tree.read(source.path));
  const checked = validateFile(file);
  const findings = [...file.findings, ...checked.findings];
  if (settings === undefined) return { units: [], findings };
  const resolved = resolveWritten(checked.written, settings, tools);
  return {
    units: resolved.values.flatMap((value) => unitsOf(value, settings, digestIn(tree))),
    findings: [...findings, ...resolved.findings],
  };
}

function digestIn(tree: Tree): DigestOf {
  return ({ source }) => {
    if (source.kind === 'helm') return sha256(JSON.stringify(source)).slice(0, 16);
    const files = tree.sources.filter(({ path }) => path.startsWith(`${source.dir}/`));
    return sha256(files.map(({ path, oid }) => `${path} ${oid}\n`).join('')).slice(0, 16);
  };
}

function acrossInputs(
  tree: Tree,
  units: readonly KeyedUnit[],
  reused: readonly KnownLine[],
  reference: readonly KnownLine[],
) {
  return {
    items: [...units.map(({ unit }) => ({ facts: unit.facts, origin: unit.origin })), ...reused],
    previous: reference,
    sources: new Set(tree.sources.map((source) => source.path)),
  };
}

/** Adds the units that follow from the settings and from all others, reusing those with the same content. */
function withDerived(
  inputs: CompileInputs,
  settings: Settings,
  units: readonly KeyedUnit[],
  reused: readonly KnownLine[],
): { units: readonly KeyedUnit[]; reused: readonly KnownLine[] } {
  const facts = [...units.map(({ unit }) => unit.facts), ...reused.map((line) => line.facts)];
  const settingsOid = inputs.tree.sources.find((source) => source.path === settingsPath)?.oid ?? '';
  const known = new Map(inputs.reusable.filter(({ source }) => source === settingsPath).map((line) => [line.id, line]));
  const made: KeyedUnit[] = [];
  const kept: KnownLine[] = [];
  for (const unit of derivedUnits(settings, facts)) {
    const key = contentKey(version, unit.content, settingsOid, sha256);
    const line = known.get(unit.id);
    if (line?.key === key) kept.push(line);
    else made.push({ unit, key, warnings: [] });
  }
  return { units: [...units, ...made], reused: [...reused, ...kept] };
}
