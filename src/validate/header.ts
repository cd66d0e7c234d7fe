import type { LoadedDocument } from '../load/documents.ts';
import { at, type Finding } from './finding.ts';
import { shown } from './grammar/fault.ts';
import { olderGroup } from './kinds/claim.ts';
import { ourApiVersion } from './kinds/fields.ts';
import { closest } from './suggest.ts';

export type OurKind = 'Settings' | 'VClusterClaim' | 'Installation' | 'ClusterShutdown' | 'Record';

const folders: Readonly<Record<OurKind | 'Cluster' | 'NodePool', string>> = {
  Settings: 'state/settings.yaml',
  VClusterClaim: 'state/claims/',
  Installation: 'state/installations/',
  ClusterShutdown: 'state/shutdowns/',
  Record: 'state/records/',
  Cluster: 'state/clusters/',
  NodePool: 'state/clusters/',
};

export interface Header {
  /** The document with the header it should have, so that its other faults are found too. Absent for another kind. */
  readonly document?: LoadedDocument;
  readonly findings: readonly Finding[];
  /** Of the older system's group. */
  readonly isOlder: boolean;
}

/** Whether a document is of the kind that its folder holds. Missing keys are left to the schema. */
export function checkHeader(document: LoadedDocument, kind: OurKind): Header {
  const value = document.value as Readonly<Record<string, unknown>>;
  const isOlder = kind === 'VClusterClaim' && String(value.apiVersion).startsWith(`${olderGroup}/`);
  const findings: Finding[] = [];
  const mended: Record<string, unknown> = {};
  if (typeof value.kind === 'string' && value.kind !== kind) {
    findings.push(kindFinding(document, value.kind, kind));
    if (Object.hasOwn(folders, value.kind)) return { findings, isOlder };
    mended.kind = kind;
  }
  if (typeof value.apiVersion === 'string' && value.apiVersion !== ourApiVersion && !isOlder) {
    findings.push(versionFinding(document, value.apiVersion, kind));
    mended.apiVersion = ourApiVersion;
  }
  if (findings.length === 0) return { document, findings, isOlder };
  return { document: { ...document, value: { ...value, ...mended } }, findings, isOlder };
}

function kindFinding({ origin }: LoadedDocument, found: string, kind: OurKind): Finding {
  const folder = Object.entries(folders).find(([known]) => known === found)?.[1];
  return {
    code: 'kind-unexpected',
    at: at(origin, ['kind']),
    message: `${shown(found)} does not belong here; ${folders[kind]} holds ${kind}.`,
    remedy: folder === undefined ? `Write "${kind}".` : `Move the file to ${folder}.`,
  };
}

function versionFinding({ origin }: LoadedDocument, found: string, kind: OurKind): Finding {
  const isSlip = closest(found, [ourApiVersion]) !== undefined;
  const older = kind === 'VClusterClaim' ? ` (or ${olderGroup}/…, for claims of the older system)` : '';
  return {
    code: 'api-version-unknown',
    at: at(origin, ['apiVersion']),
    message: `${shown(found)} is no version of ${kind} that is known here.`,
    remedy: isSlip ? `Did you mean "${ourApiVersion}"?` : `Write "${ourApiVersion}"${older}.`,
  };
}
