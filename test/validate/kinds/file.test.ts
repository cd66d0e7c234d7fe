import { describe, expect, it } from 'vitest';
import { loadFile } from '../../../src/load/documents.ts';
import { validateFile } from '../../../src/validate/file.ts';
import { claimText, validated } from './said.ts';

describe('the header of a document', () => {
  it.each<[what: string, path: string, text: string, said: string[]]>([
    [
      'a misspelt version',
      'state/claims/ada.yaml',
      claimText('ada', '', 'quiesce.dev/v1alpha'),
      [
        'api-version-unknown apiVersion: "quiesce.dev/v1alpha" is no version of VClusterClaim that is known here. Did you mean "quiesce.dev/v1alpha1"?',
      ],
    ],
    [
      "somebody else's version",
      'state/claims/ada.yaml',
      claimText('ada', '', 'v1'),
      [
        'api-version-unknown apiVersion: "v1" is no version of VClusterClaim that is known here. Write "quiesce.dev/v1alpha1" (or plethos.cs.hm.edu/…, for claims of the older system).',
      ],
    ],
    [
      'the older group where there is none',
      'state/records/ada.yaml',
      'apiVersion: plethos.cs.hm.edu/v1\nkind: Record\nmetadata: { name: ada }\nspec: {}\n',
      [
        'api-version-unknown apiVersion: "plethos.cs.hm.edu/v1" is no version of Record that is known here. Write "quiesce.dev/v1alpha1".',
      ],
    ],
    [
      'a misspelt kind',
      'state/claims/ada.yaml',
      claimText('ada').replace('VClusterClaim', 'VclusterClaim'),
      [
        'kind-unexpected kind: "VclusterClaim" does not belong here; state/claims/ holds VClusterClaim. Write "VClusterClaim".',
      ],
    ],
    [
      'a kind of another folder, whose other faults are not of interest here',
      'state/installations/ada.yaml',
      claimText('ada', '  bad: true'),
      [
        'kind-unexpected kind: "VClusterClaim" does not belong here; state/installations/ holds Installation. Move the file to state/claims/.',
      ],
    ],
    [
      'a kind that is no text',
      'state/claims/ada.yaml',
      claimText('ada').replace('VClusterClaim', '[]'),
      ['wrong-type kind: `kind` must be `VClusterClaim`, not a list. Write `VClusterClaim`.'],
    ],
    [
      'no header at all',
      'state/records/ada.yaml',
      'metadata: { name: ada }\nspec: {}\n',
      [
        'missing-key apiVersion: `apiVersion` is missing. Add `apiVersion:` at the top level.',
        'missing-key kind: `kind` is missing. Add `kind:` at the top level.',
      ],
    ],
  ])('with %s', (_, path, text, expected) => {
    expect(validated(path, text).said).toEqual(expected);
  });

  it('does not hide the other faults of the document', () => {
    const { said } = validated('state/claims/ada.yaml', claimText('ada', '  version: latest', 'quiesce.dev/v1'));
    expect(said.map((line) => line.split(':')[0])).toEqual([
      'api-version-unknown apiVersion',
      'version-invalid spec.version',
    ]);
  });
});

describe('a shutdown', () => {
  const shutdown = (spec: string) =>
    validated(
      'state/shutdowns/atlas.yaml',
      `apiVersion: quiesce.dev/v1alpha1\nkind: ClusterShutdown\nmetadata: { name: atlas }\nspec: ${spec}\n`,
    ).said;

  it.each<[spec: string, said: string[]]>([
    ['{ action: None }', []],
    ['{ action: Restart }', []],
    ['{ action: Shutdown, backupAcknowledged: true }', []],
    [
      '{ action: Shutdown }',
      [
        'shutdown-backup-open spec.action: The shutdown will wait: nobody has acknowledged that there is a backup. Write "backupAcknowledged: true" once there is one.',
      ],
    ],
    [
      '{ action: None, powerHook: { name: h, image: "power:latest", command: [x] } }',
      [
        'image-floating spec.powerHook.image: "power:latest" names no fixed version, so what runs can change without a commit. Pin a tag, or better a digest.',
      ],
    ],
    [
      '{ action: Reboot }',
      [
        'invalid-value spec.action: `spec.action` must be `Shutdown`, `Restart` or `None`, not the text "Reboot". Write `Shutdown`, `Restart` or `None`.',
      ],
    ],
  ])('%s', (spec, expected) => {
    expect(shutdown(spec)).toEqual(expected);
  });
});

describe('a record', () => {
  it('has points in time and addresses', () => {
    const text = `apiVersion: quiesce.dev/v1alpha1
kind: Record
metadata: { name: ada }
spec:
  firstSeen: today
  renewals: [{ at: "2026-01-31T08:00:00Z", by: "" }]
  warnings: [{ about: Sleep, deadline: "2026-13-01T00:00:00Z", deliveredAt: "2026-01-31T08:00:00Z", to: [ada] }]
  uninstalled: { at: "2026-01-31T08:00:00Z", data: Lost }
`;
    expect(validated('state/records/ada.yaml', text).said.map((line) => line.split(':')[0])).toEqual([
      'instant-invalid spec.firstSeen',
      'text-invalid spec.renewals[0].by',
      'instant-invalid spec.warnings[0].deadline',
      'email-invalid spec.warnings[0].to[0]',
      'invalid-value spec.uninstalled.data',
    ]);
  });
});

it.each(['state/installations/a/b.yaml', 'state/claims/note.txt', 'README.md'])('%s is not for us', (path) => {
  expect(validateFile(loadFile(path, new TextEncoder().encode('a: 1\n')))).toEqual({ written: [], findings: [] });
});
