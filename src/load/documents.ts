import type { Document } from 'yaml';
import { isMap, isScalar } from 'yaml';
import type { DataPath, Finding, Origin } from '../validate/finding.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { strayFinding } from './stray.ts';
import { decodeText } from './text.ts';
import { conflictFindings, encodingFinding, textFindings } from './text-findings.ts';
import { syntaxFindings } from './yaml-errors.ts';
import { parseYaml } from './yaml-syntax.ts';
import { rangeOf, readValue } from './yaml-value.ts';

/** What a path below `state/` is for. Assets are manifests and charts of installations, and what nobody reads as state. */
export type SourceKind = 'settings' | 'claim' | 'cluster' | 'installation' | 'shutdown' | 'record' | 'asset' | 'stray';

/** One YAML document as plain data, with where it is from. Aliases share their value: never change it in place. */
export interface LoadedDocument {
  readonly origin: Origin;
  readonly value: unknown;
}

/** `documents` holds those that could be read; documents without content are left out, numbers count them. */
export interface LoadedFile {
  readonly path: string;
  readonly kind: SourceKind;
  readonly documents: readonly LoadedDocument[];
  readonly findings: readonly Finding[];
}

export function sourceKind(path: string): SourceKind {
  const [root, folder, ...rest] = path.split('/');
  if (root !== 'state' || folder === undefined || isIgnored(path)) return 'asset';
  if (rest.length === 0) return folder === 'settings.yaml' ? 'settings' : 'stray';
  if (['schemas', 'charts', 'mail'].includes(folder) || (folder === 'installations' && rest.length > 1)) return 'asset';
  if (folder === 'claims') return /[^/]\.ya?ml$/.test(path) ? 'claim' : 'stray';
  if (rest.length > 1 || !path.endsWith('.yaml')) return 'stray';
  return flatFolders.get(folder) ?? 'stray';
}

const flatFolders: ReadonlyMap<string, SourceKind> = new Map([
  ['clusters', 'cluster'],
  ['installations', 'installation'],
  ['shutdowns', 'shutdown'],
  ['records', 'record'],
]);

function isIgnored(path: string): boolean {
  return /\/\.|(?:^|\/)README\.md$|\.schema\.json$/i.test(path);
}

/**
 * Largest file that is read, in bytes. A claim must fit into a Secret (1 MiB). The library needs a hundred times as much
 * memory and half a second for each MiB; 4 MiB are a cluster config of 100,000 lines.
 */
const limits: Readonly<Record<SourceKind, number>> = {
  settings: 2 ** 20,
  claim: 2 ** 20,
  cluster: 2 ** 22,
  installation: 2 ** 20,
  shutdown: 2 ** 20,
  record: 2 ** 20,
  asset: 2 ** 22,
  stray: 0,
};

/**
 * Reads one file of `state/` and says everything that is wrong with it as a file and as YAML. Never throws. Of the assets
 * only manifests are worth loading.
 */
export function loadFile(path: string, bytes: Uint8Array): LoadedFile {
  const kind = sourceKind(path);
  if (kind === 'stray') return { path, kind, documents: [], findings: [strayFinding(path)] };
  return { path, kind, ...readDocuments(path, bytes, kind) };
}

type Read = Pick<LoadedFile, 'documents' | 'findings'>;

function failed(...findings: readonly Finding[]): Read {
  return { documents: [], findings };
}

/** The documents of a file that is to be read as `kind`, whatever its path says. */
export function readDocuments(file: string, bytes: Uint8Array, kind: SourceKind): Read {
  if (bytes.length > limits[kind]) return failed(tooLarge(file, bytes.length, limits[kind]));
  const { text, fault } = decodeText(bytes);
  if (fault !== undefined) return failed(encodingFinding(file, fault));
  const plain = readPlainYaml(text);
  if (plain !== undefined && (plain.length === 1 || holdsSeveral(kind))) {
    return { documents: plain.map((value, document) => ({ origin: { file, document }, value })), findings: [] };
  }
  const conflicts = conflictFindings(file, text);
  if (conflicts.length > 0) return failed(...conflicts);
  const inText = textFindings(file, text);
  const syntax = parseYaml(text);
  if (syntax.kind === 'too-deep') return failed(...inText, tooDeep(file, syntax.offset));
  const read = syntax.documents.map((document, index) => readDocument({ file, document: index }, document, kind));
  const findings = [
    ...inText,
    ...read.flatMap((each) => each.findings),
    ...countFindings(file, syntax.documents, kind),
  ];
  return { documents: read.flatMap((each) => each.documents).slice(0, holdsSeveral(kind) ? undefined : 1), findings };
}

function holdsSeveral(kind: SourceKind): boolean {
  return kind === 'cluster' || kind === 'asset';
}

function readDocument(origin: Origin, document: Document.Parsed, kind: SourceKind): Read {
  const { file } = origin;
  if (document.errors.length > 0) return failed(...syntaxFindings(file, document));
  const { explicit, version } = document.directives?.yaml ?? {};
  if (explicit === true && version !== '1.2') return failed(otherVersion(file, version));
  if (isEmpty(document)) return failed();
  const { value, findings } = readValue(file, document, kind === 'cluster' ? isReadOfCluster : () => true);
  const all = [...tagFindings(file, document), ...findings];
  if (isMap(document.contents)) return { documents: [{ origin, value }], findings: all };
  return failed(...all, {
    code: 'not-a-mapping',
    at: rangeOf(file, document.contents ?? {}),
    message: 'The document is no mapping of keys to values.',
    remedy: 'Begin it with `apiVersion:` and `kind:`.',
  });
}

/** Cluster configs have readers of their own; advice on what only those read would be noise, and maybe wrong. */
function isReadOfCluster(path: DataPath): boolean {
  return (
    path[0] === 'metadata' || path.some((step) => step === 'maintenanceBlocks' || step === 'nodes' || step === 'taints')
  );
}

function isEmpty(document: Document.Parsed): boolean {
  const { contents } = document;
  return contents === null || (isScalar(contents) && contents.value === null && contents.source === '');
}

/** Nothing in it at all, or more than its kind allows. */
function countFindings(file: string, documents: readonly Document.Parsed[], kind: SourceKind): Finding[] {
  if (documents.some((document) => document.errors.length > 0)) return [];
  const [first, second] = documents.filter((document) => !isEmpty(document));
  if (first === undefined && kind !== 'asset') {
    const message = 'The file has no content but blank lines and comments.';
    return [
      {
        code: 'empty-file',
        at: { kind: 'file', file },
        message,
        remedy: 'Restore its content from git, or remove the file.',
      },
    ];
  }
  if (second === undefined || holdsSeveral(kind)) return [];
  return [
    {
      code: 'several-documents',
      at: rangeOf(file, second.contents ?? {}),
      message: 'A second document starts here, and only the first is read.',
      remedy: 'Move it into a file of its own.',
    },
  ];
}

function otherVersion(file: string, version: string): Finding {
  const message = `The \`%YAML ${version}\` line asks for another version of YAML than 1.2.`;
  return { code: 'yaml-directive', at: { kind: 'file', file }, message, remedy: 'Remove the line.' };
}

/** The library keeps the value of an unknown tag as text and warns. */
function tagFindings(file: string, document: Document.Parsed): Finding[] {
  return document.warnings
    .filter((warning) => warning.code === 'TAG_RESOLVE_FAILED')
    .map((warning) => ({
      code: 'yaml-tag',
      at: { kind: 'range', file, start: warning.pos[0], end: warning.pos[1] },
      message: `${warning.message.replace(/^Unresolved tag: (.*)$/, 'The tag `$1` is not known here')}.`,
      remedy: 'Remove the tag, or quote the value if it only begins with `!`.',
    }));
}

function tooLarge(file: string, size: number, limit: number): Finding {
  const message = `The file has ${mebibytes(size)} MiB; at most ${mebibytes(limit)} MiB are read.`;
  return {
    code: 'file-too-large',
    at: { kind: 'file', file },
    message,
    remedy: 'Split it, or remove what does not belong there.',
  };
}

function mebibytes(bytes: number): string {
  return String(Math.ceil((bytes / 2 ** 20) * 10) / 10);
}

function tooDeep(file: string, offset: number): Finding {
  const at = { kind: 'range', file, start: offset, end: offset + 1 } as const;
  return {
    code: 'yaml-too-deep',
    at,
    message: 'The nesting is deeper than 100 levels.',
    remedy: 'Remove the nesting.',
  };
}
