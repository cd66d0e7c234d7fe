import { gunzipSync, gzipSync } from 'node:zlib';
import type { DeliveryReport, Mail } from '../lifecycle/decision.ts';
import type { KubeClient } from '../sidecar/kube/client.ts';
import { NoAnswer, Refused } from '../sidecar/kube/failures.ts';
import { resources } from '../sidecar/kube/resource.ts';
import type { ClusterView } from './observe.ts';

/** What the mail server answered, from its answer until it is on record in git. */
interface Unrecorded {
  /** Of earlier runs. While there are any, no mail is sent: they are put on record first. */
  readonly reports: readonly DeliveryReport[];
  /** Says why not, where that did not work. */
  keep(reports: readonly DeliveryReport[]): Promise<string | undefined>;
  forget(): Promise<string | undefined>;
}

export type UnrecordedAnswer =
  | { readonly kind: 'known'; readonly unrecorded: Unrecorded }
  /** Then nothing may be sent: it may have been sent by every run before. */
  | { readonly kind: 'unknown'; readonly why: string };

const place = { namespace: 'quiesce-system', name: 'quiesce-lifecycle-unrecorded' };

/**
 * Beside git, in a ConfigMap on the home cluster: a server may refuse pushes for reasons that it tells only when it gets
 * one, and then every run would send the same mails again.
 */
export async function openUnrecorded(home: ClusterView | undefined): Promise<UnrecordedAnswer> {
  const { client, observed } = home ?? {};
  if (client === undefined) return { kind: 'unknown', why: observed?.kind === 'unknown' ? observed.why : noHome };
  try {
    const answer = await client.send({ verb: 'get', resource: resources.configMaps, ...place });
    if (answer.status === 404) return known(client, []);
    if (answer.status >= 300) throw new Refused('what was sent before', answer);
    const reports = reportsIn(answer.text);
    return reports === undefined ? { kind: 'unknown', why: unreadable } : known(client, reports);
  } catch (error) {
    return { kind: 'unknown', why: whyOf(error) };
  }
}

const noHome = 'there is no home cluster';
const unreadable = `the ConfigMap ${place.name} in ${place.namespace} is none of ours: look into it, and delete it`;

function known(client: KubeClient, reports: readonly DeliveryReport[]): UnrecordedAnswer {
  return {
    kind: 'known',
    unrecorded: {
      reports,
      keep: async (sent) =>
        complaintOf(async () => {
          const query = { fieldManager: 'quiesce-lifecycle', force: 'true' };
          const contentType = 'application/apply-patch+yaml';
          const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: place, binaryData: dataOf(sent) };
          await client.read({ verb: 'apply', resource: resources.configMaps, ...place, query, contentType, body });
        }),
      forget: async () =>
        complaintOf(async () => {
          const answer = await client.send({ verb: 'delete', resource: resources.configMaps, ...place });
          if (answer.status >= 300 && answer.status !== 404) throw new Refused('what was sent is on record', answer);
        }),
    },
  };
}

async function complaintOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return whyOf(error);
  }
}

function whyOf(error: unknown): string {
  if (error instanceof Refused || error instanceof NoAnswer) return error.message;
  throw error;
}

/** Reports about one mail stay together. */
interface KeptMail {
  readonly mail: Mail;
  readonly reports: readonly Omit<DeliveryReport, 'mail'>[];
}

/** Compressed: a ConfigMap holds a megabyte, and thousands of mails may be due at once. */
export function dataOf(reports: readonly DeliveryReport[]): { readonly reports: string } {
  const mails = [...new Set(reports.map(({ mail }) => mail))];
  const kept = mails.map((mail): KeptMail => {
    const own = reports.filter((report) => report.mail === mail);
    return { mail, reports: own.map(({ mail: _, ...report }) => report) };
  });
  return { reports: gzipSync(JSON.stringify(kept)).toString('base64') };
}

/** Undefined for what nobody of us has written. */
export function reportsIn(configMap: string): readonly DeliveryReport[] | undefined {
  try {
    const { binaryData } = JSON.parse(configMap) as { readonly binaryData: ReturnType<typeof dataOf> };
    const kept = JSON.parse(gunzipSync(Buffer.from(binaryData.reports, 'base64')).toString()) as readonly KeptMail[];
    return kept.flatMap(({ mail, reports }) => reports.map((report) => ({ ...report, mail })));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || isOfZlib(error)) return undefined;
    throw error;
  }
}

function isOfZlib(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
