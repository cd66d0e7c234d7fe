import { describe, expect, it } from 'vitest';
import { loadFile, sourceKind } from '../../src/load/documents.ts';
import { loadText, problemsIn } from './problems-in.ts';

const claim = 'state/claims/ada.yaml';
const cluster = 'state/clusters/north.yaml';

describe('what a path is for', () => {
  it.each([
    ['state/settings.yaml', 'settings'],
    ['state/claims/ada.yaml', 'claim'],
    ['state/claims/cs/2026/ada.yml', 'claim'],
    ['state/clusters/north.yaml', 'cluster'],
    ['state/installations/monitoring.yaml', 'installation'],
    ['state/installations/monitoring/grafana/deployment.yaml', 'asset'],
    ['state/installations/charts/x/Chart.yaml', 'asset'],
    ['state/shutdowns/north.yaml', 'shutdown'],
    ['state/records/ada.yaml', 'record'],
    ['state/README.md', 'asset'],
    ['state/claims/readme.md', 'asset'],
    ['state/claims/.gitkeep', 'asset'],
    ['state/claims/.idea/x.yaml', 'asset'],
    ['state/claims/claim.schema.json', 'asset'],
    ['state/schemas/claim.json', 'asset'],
    ['state/mail/en/sleep-warning.txt', 'asset'],
    ['state/mail/layout.html', 'asset'],
    ['out/north/claims/ada/claim.k8s.yaml', 'asset'],
    ['state/settings.yml', 'stray'],
    ['state/claim/ada.yaml', 'stray'],
    ['state/claims/ada.json', 'stray'],
    ['state/claims/.yaml', 'asset'],
    ['state/clusters/sub/north.yaml', 'stray'],
    ['state/records/ada.yml', 'stray'],
  ])('%s: %s', (path, kind) => expect(sourceKind(path)).toBe(kind));
});

describe('files that nothing reads', () => {
  it.each([
    ['state/claim/ada.yaml', 'Did you mean `state/claims/ada.yaml`?'],
    ['state/setting.yml', 'Did you mean `state/settings.yaml`?'],
    ['state/settings.yml', 'Did you mean `state/settings.yaml`?'],
    [
      'state/claims/cs/ada.yml.bak',
      'It ends in `.yml.bak` and only `.yaml` is read: rename it to `state/claims/cs/ada.yaml`, or delete it.',
    ],
    [
      'state/claims/ada.yaml~',
      'It ends in `.yaml~` and only `.yaml` is read: rename it to `state/claims/ada.yaml`, or delete it.',
    ],
    [
      'state/claims/ada.json',
      'It ends in `.json` and only `.yaml` is read: rename it to `state/claims/ada.yaml`, or delete it.',
    ],
    [
      'state/claims/ada',
      'It has no extension and only `.yaml` is read: rename it to `state/claims/ada.yaml`, or delete it.',
    ],
    [
      'state/records/ada.yml',
      'It ends in `.yml` and only `.yaml` is read: rename it to `state/records/ada.yaml`, or delete it.',
    ],
    ['state/clusters/sub/north.yaml', 'Move it to `state/clusters/north.yaml`: only claims may be in sub-folders.'],
    [
      'state/backup/ada.yaml',
      'There is no folder `state/backup/`; move the file to one of claims, clusters, installations, shutdowns, records, or delete it.',
    ],
  ])('%s', (path, remedy) => {
    const [problem, ...more] = loadText(path, '').problems;
    expect(problem).toMatchObject({
      code: 'stray-file',
      severity: 'warning',
      message: `Nothing reads \`${path}\`.`,
      remedy,
    });
    expect(more).toEqual([]);
  });
});

describe('encodings', () => {
  const text = 'name: Zoë\nname: 2\n';
  const duplicate = '2:1-2:5 duplicate-key: `name` is there twice.';

  it('takes a byte order mark, and columns do not count it', () => {
    expect(problemsIn(claim, `\ufeff${text}`)).toEqual([duplicate]);
    expect(problemsIn(claim, '\ufeffname: 1')).toEqual([]);
  });
  it('takes CRLF, and columns are those of the editor', () => {
    expect(problemsIn(claim, text.replaceAll('\n', '\r\n'))).toEqual([duplicate]);
    expect(loadText(claim, 'a: 1\r\nb: x\r\n').file.documents[0]?.value).toEqual({ a: 1, b: 'x' });
  });
  it('names the first byte that is not UTF-8', () => {
    expect(problemsIn(claim, new Uint8Array(Buffer.from('# ok\nname: Zo\u00eb\n', 'latin1')))).toEqual([
      '2:9-2:10 not-utf8: The byte 0xEB is not UTF-8 here.',
    ]);
    expect(problemsIn(claim, new Uint8Array([0xef, 0xbf, 0xbd, 0x61, 0xff]))).toEqual([
      '1:3-1:4 not-utf8: The byte 0xFF is not UTF-8 here.',
    ]);
  });
  it.each(['\ufeffname: x\n', 'name: x\n'])('recognises UTF-16: %j', (content) => {
    const message = '1:1-1:1 not-utf8: The file is encoded as UTF-16, not UTF-8.';
    expect(problemsIn(claim, new Uint8Array(Buffer.from(content, 'utf16le')))).toEqual([message]);
    expect(problemsIn(claim, new Uint8Array(Buffer.from(content, 'utf16le').swap16()))).toEqual([message]);
  });
  it('refuses control characters, also those that only some readers see as line breaks', () => {
    expect(problemsIn(claim, 'a: x\u0007\n# c\u2028b: 1\nc: "\\e[2J"\nd: "\\t\\n" # x\ry\n')).toEqual([
      '1:5-1:6 control-character: The character U+0007 is not allowed in YAML.',
      '2:4-2:5 control-character: The character U+2028 (line separator) is not allowed in YAML.',
      '3:4-3:11 control-character: The text contains the control character U+001B.',
      '4:14-4:14 control-character: The character U+000D (carriage return without line feed) is not allowed in YAML.',
    ]);
  });
});

describe('files as a whole', () => {
  const empty = '1:1-1:1 empty-file: The file has no content but blank lines and comments.';

  it.each(['', '\n\n', '# nothing\n', '---\n', '# a\n---\n# b\n---\n...\n'])('%j is empty', (content) => {
    expect(problemsIn(claim, content)).toEqual([empty]);
  });
  it.each([
    ['- a\n', '1:1-1:4 not-a-mapping: The document is no mapping of keys to values.'],
    ['text\n', '1:1-1:5 not-a-mapping: The document is no mapping of keys to values.'],
    ['~\n', '1:1-1:2 not-a-mapping: The document is no mapping of keys to values.'],
  ])('%j is no mapping', (content, problem) => expect(problemsIn(claim, content)).toEqual([problem]));

  it('takes one document only, and none of those without content counts', () => {
    expect(problemsIn(claim, '---\na: 1\n---\n# end\n')).toEqual([]);
    const { file } = loadText(claim, 'a: 1\n---\nb: 2\n');
    expect(file.documents).toEqual([{ origin: { file: claim, document: 0 }, value: { a: 1 } }]);
    expect(problemsIn(claim, 'a: 1\n---\nb: 2\n')).toEqual([
      '3:1-3:5 several-documents: A second document starts here, and only the first is read.',
    ]);
  });
  it('refuses files beyond the limit without reading them', () => {
    expect(problemsIn(claim, `a: 1\n${'#\n'.repeat(2 ** 19)}`)).toEqual([
      '1:1-1:1 file-too-large: The file has 1.1 MiB; at most 1 MiB are read.',
    ]);
  });
  it('reads a cluster config of 100,000 lines, with its secrets preamble, in seconds', () => {
    const preamble = 'gcrKeyPath: /keys/gcr.json\nsshPrivateKeyPath: /home/ops/.ssh/id_rsa\n';
    const nodes = Array.from({ length: 100_000 }, (_, index) => `  - address: 10.1.${index >> 8}.${index & 255}`);
    const content = `${preamble}---\napiVersion: baremetal.cluster.gke.io/v1\nkind: NodePool\nspec:\n  nodes:\n${nodes.join('\n')}\n`;
    const { documents, findings } = loadFile(cluster, new TextEncoder().encode(content));
    expect(findings).toEqual([]);
    expect(documents.map(({ origin }) => origin.document)).toEqual([0, 1]);
    expect(documents[0]?.value).toEqual({ gcrKeyPath: '/keys/gcr.json', sshPrivateKeyPath: '/home/ops/.ssh/id_rsa' });
  });
  it('reads manifests of an installation as documents', () => {
    const { file } = loadText('state/installations/mon/a.yaml', '# c\n---\na: 1\n---\nb: 2\n');
    expect(file.documents.map(({ value }) => value)).toEqual([{ a: 1 }, { b: 2 }]);
    expect(loadText('state/installations/mon/b.yaml', '# nothing yet\n').problems).toEqual([]);
  });
});
