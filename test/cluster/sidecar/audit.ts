import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Assets } from '../../controlplane/assets.ts';

/** One request as the API server has written it down, when it was answered. */
export interface AuditLine {
  readonly verb: string;
  readonly user: string;
  /** How the program calls itself: the appliers and kubectl are one user here. */
  readonly agent: string;
  /** Of the API; empty for the core group. */
  readonly group: string;
  readonly resource: string;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly status: number;
  readonly requestUri: string;
  /** Epoch milliseconds. */
  readonly received: number;
  readonly answered: number;
  readonly body: Json | undefined;
}

type Json = { readonly [Key in string]?: unknown };

export const sidecarUser = 'system:serviceaccount:quiesce-system:quiesce-sidecar';

/** What the sidecar does, with what it sent; whoever deletes a Pod; and that others have asked for something. */
const policyWith = (users: readonly string[], more: readonly object[]) => ({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    { level: 'Request', users: [sidecarUser], verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'] },
    { level: 'Metadata', users: [sidecarUser] },
    { level: 'Request', verbs: ['delete', 'deletecollection'], resources: [{ group: '', resources: ['pods'] }] },
    // An empty list would mean everybody.
    ...(users.length > 0 ? [{ level: 'Metadata', users }] : []),
    ...more,
    { level: 'None' },
  ],
});

/** In the folder of the API server. */
export const logFile = 'audit.log';

/** The same programs, with an API server that keeps an audit log in its folder; `more` are rules of the policy. */
export function withAudit(assets: Assets, users: readonly string[], more: readonly object[] = []): Assets {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-audit-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'policy.json');
  writeFileSync(file, JSON.stringify(policyWith(users, more)));
  const flags = [`--audit-policy-file=${file}`, `--audit-log-path=${logFile}`, '--audit-log-mode=blocking'];
  return { ...assets, apiserver: [...assets.apiserver, ...flags] };
}

interface RawLine {
  readonly stage: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly userAgent?: string;
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly requestObject?: Json;
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
}

export function auditLines(text: string): AuditLine[] {
  const lines = text.split('\n');
  return lines.filter((line) => line.endsWith('}')).map((line) => auditLine(JSON.parse(line) as RawLine));
}

function auditLine(line: RawLine): AuditLine {
  const { apiGroup = '', resource = '', subresource, namespace, name } = line.objectRef ?? {};
  return {
    verb: line.verb,
    user: line.user.username,
    agent: line.userAgent ?? '',
    group: apiGroup,
    resource,
    subresource,
    namespace,
    name,
    status: line.responseStatus?.code ?? 0,
    requestUri: line.requestURI,
    received: Date.parse(line.requestReceivedTimestamp),
    answered: Date.parse(line.stageTimestamp),
    body: line.requestObject,
  };
}
