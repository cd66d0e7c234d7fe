import { hookLabels } from './belongs.ts';
import { newestRelease, type RawRecord } from './helm-record.ts';
import { type RawJob, type RawJobPod, seenJob, waitOf } from './hook-job.ts';
import { kindKey } from './kinds.ts';
import { unreadBecause } from './listing.ts';
import type { Instances, SeenJob, SeenRelease } from './observation.ts';
import { type RawSeen, seenObject } from './project.ts';
import type { Survey } from './survey.ts';

/** More than a few are not named anyway. */
const mostInstances = '20';

export async function readInstances(tools: Survey, definitions: readonly string[]): Promise<readonly Instances[]> {
  return Promise.all(definitions.map((definition) => instancesOf(tools, definition)));
}

async function instancesOf(tools: Survey, definition: string): Promise<Instances> {
  const served = tools.discovery.kinds.find(({ resource }) => `${resource.plural}.${resource.group}` === definition);
  const unknown = { what: definition, status: 404, why: 'the API server does not serve this kind' };
  if (served === undefined) return { definition, left: [], unread: unknown };
  try {
    const { items } = await tools.client.read<{ readonly items: readonly RawSeen[] | null }>({
      verb: 'list',
      resource: served.resource,
      query: { limit: mostInstances },
      accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
    });
    return { definition, left: (items ?? []).map((item) => seenObject(served, item)) };
  } catch (error) {
    return { definition, left: [], unread: unreadBecause(definition, error) };
  }
}

/** What waits for an image is worth a look at its Pods; what has just begun is not. */
const youngMs = 10_000;

export async function readJobs(tools: Survey): Promise<readonly SeenJob[]> {
  const { subject, run } = tools.plan;
  const kind = tools.discovery.kinds.find((each) => kindKey(each) === 'batch/Job');
  const podKind = tools.discovery.kinds.find((each) => kindKey(each) === '/Pod');
  // A claim has no hooks. An installation may have had some that left git since.
  if (subject.kind !== 'Installation' || kind === undefined || podKind === undefined) return [];
  const labelSelector = `${hookLabels.subject}=${subject.name},${hookLabels.run}=${run}`;
  const jobs = (await tools.listRaw({ kind, labelSelector, whole: true })).map((job) => seenJob(job as RawJob));
  const old = jobs.filter(({ state, createdAt }) => state === 'Running' && tools.now() - createdAt >= youngMs);
  if (old.length === 0) return jobs;
  const pods = (await tools.listRaw({ kind: podKind, labelSelector, whole: true })) as readonly RawJobPod[];
  return jobs.map((job) => {
    const waits = old.includes(job) ? waitOf(job, pods) : undefined;
    return waits === undefined ? job : { ...job, waits };
  });
}

export async function readReleases(tools: Survey): Promise<readonly SeenRelease[]> {
  const kind = tools.discovery.kinds.find((each) => kindKey(each) === '/Secret');
  if (kind === undefined) return [];
  const found = await Promise.all(
    tools.plan.components.map(async ({ release }) => {
      if (release === undefined) return undefined;
      const labelSelector = `owner=helm,name=${release.name}`;
      const records = await tools.listRaw({ kind, namespace: release.namespace, labelSelector, whole: true });
      return newestRelease(records as readonly RawRecord[]);
    }),
  );
  return found.filter((release) => release !== undefined);
}
