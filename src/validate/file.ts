import type { z } from 'zod';
import type { LoadedDocument, LoadedFile } from '../load/documents.ts';
import { at, type Finding } from './finding.ts';
import { shown } from './grammar/fault.ts';
import { checkHeader, type OurKind } from './header.ts';
import { claimSchema } from './kinds/claim.ts';
import { claimRules } from './kinds/claim-rules.ts';
import { validateClusterFile } from './kinds/cluster-file.ts';
import { installationSchema } from './kinds/installation.ts';
import { installationRules } from './kinds/installation-rules.ts';
import { recordSchema } from './kinds/record.ts';
import { settingsSchema } from './kinds/settings.ts';
import { settingsRules } from './kinds/settings-rules.ts';
import { shutdownSchema } from './kinds/shutdown.ts';
import { shutdownRules } from './kinds/shutdown-rules.ts';
import { parseDocument } from './parse.ts';
import { applyRules, type Rule } from './rule.ts';
import type { Written } from './written.ts';

export interface ValidatedFile {
  /** What can be resolved. Findings may still contain errors about it: nothing is rendered then. */
  readonly written: readonly Written[];
  readonly findings: readonly Finding[];
}

/** One file of `state/`: structure, values, and how they fit together. What needs settings comes with `resolve`. */
export function validateFile(file: LoadedFile): ValidatedFile {
  if (file.kind === 'cluster') return validateClusterFile(file);
  const validate = validators[file.kind];
  const [document] = file.documents;
  return validate === undefined || document === undefined ? { written: [], findings: [] } : validate(document);
}

type Validate = (document: LoadedDocument) => ValidatedFile;

const validators: Readonly<Partial<Record<LoadedFile['kind'], Validate>>> = {
  settings: (document) => validateOurs(document, 'Settings', settingsSchema, settingsRules),
  claim: (document) => validateOurs(document, 'VClusterClaim', claimSchema, claimRules),
  installation: (document) => validateOurs(document, 'Installation', installationSchema, installationRules),
  shutdown: (document) => validateOurs(document, 'ClusterShutdown', shutdownSchema, shutdownRules),
  record: (document) => validateOurs(document, 'Record', recordSchema, []),
};

interface Named {
  readonly metadata: { readonly name: string };
}

function validateOurs<Document extends Named>(
  loaded: LoadedDocument,
  kind: OurKind,
  schema: z.ZodType<Document>,
  rules: readonly Rule<Document>[],
): ValidatedFile {
  const { document, findings: inHeader, isOlder } = checkHeader(loaded, kind);
  if (document === undefined) return { written: [], findings: inHeader };
  const { value, findings } = parseDocument(schema, document, isOlder ? 'carried' : 'refused');
  const found = [...inHeader, ...findings];
  if (value === undefined) return { written: [], findings: found };
  const { origin } = document;
  if (kind !== 'Settings') found.push(...nameFindings(value.metadata.name, loaded, isOlder));
  found.push(...applyRules(rules, value, origin));
  return { written: [{ ...value, origin } as unknown as Written], findings: found };
}

/**
 * A thing is found by its file: by people, by commands and by the lifecycle runner. Claims that moved over from the
 * older system keep their files, so for them it is a warning; a copy whose name was forgotten shows as a duplicate.
 */
function nameFindings(name: string, { origin }: LoadedDocument, isOlder: boolean): Finding[] {
  const base = origin.file.slice(origin.file.lastIndexOf('/') + 1).replace(/\.ya?ml$/, '');
  if (base === name) return [];
  return [
    {
      code: isOlder ? 'claim-file-name' : 'name-differs-from-file',
      at: at(origin, ['metadata', 'name']),
      message: `The name is ${shown(name)}, but the file is called ${shown(base)}.`,
      // The claim is there already, and a virtual cluster cannot be renamed.
      remedy: `Rename the file to ${shown(`${name}.yaml`)}${isOlder ? '' : `, or write ${shown(base)}`}.`,
    },
  ];
}
