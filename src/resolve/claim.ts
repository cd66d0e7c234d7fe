import { at, type Finding } from '../validate/finding.ts';
import { renewedAtAnnotation } from '../validate/kinds/claim.ts';
import type { WrittenClaim } from '../validate/written.ts';
import { resolveExpiry } from './claim-expiry.ts';
import { resolveExposure } from './claim-exposure.ts';
import { resolveWorkload } from './claim-workload.ts';
import { helmSourceOf, limitsOf, quantitiesOf } from './defaults.ts';
import { findHostCluster } from './host-cluster.ts';
import { hostSyncFindings, hostSyncOf } from './host-sync.ts';
import { identityOf } from './identity.ts';
import type { Claim, HostCluster, Owner, Settings } from './state.ts';
import type { Resolved, ResolveTools } from './tools.ts';
import { vclusterConfig } from './vcluster-config.ts';

/** A claim with every default filled in and every name worked out. */
export function resolveClaim(written: WrittenClaim, settings: Settings, tools: ResolveTools): Resolved<Claim> {
  const { origin, spec, metadata } = written;
  const host = hostOf(written, settings);
  const { findings: ofWorkload, ...workload } = resolveWorkload(written, settings.claims);
  const expiry = resolveExpiry(written, settings.expiry);
  // A chart takes values of its own: those of the built-in configuration do not count beside it.
  const values = spec.chart === undefined ? spec.values : undefined;
  const findings = [...host.findings, ...ofWorkload, ...expiry.findings, ...hostSyncFindings(values, origin)];
  if (host.value === undefined) return { findings };
  const exposure = resolveExposure(written, host.value, settings, tools.hash);
  const value: Claim = {
    origin,
    name: metadata.name,
    namespace: `vcluster-${metadata.name}`,
    cluster: host.value.name,
    owners: [spec.owner, ...(spec.owners ?? [])].map(ownerOf),
    state: spec.state ?? 'Running',
    version: spec.version ?? settings.claims.version,
    ...workload,
    ...optionalParts(written, settings),
    ...(exposure.value !== undefined && { exposure: exposure.value }),
    config: vclusterConfig({ ...workload, ...(values !== undefined && { values }) }, tools),
    ...(values !== undefined && { values }),
    hostSync: hostSyncOf(values),
    expiry: expiry.value,
    schedules: schedulesOf(spec.sleepSchedules),
    protected: spec.protected ?? false,
    identity: identityOf(spec, tools.hash),
  };
  return { value, findings: [...findings, ...exposure.findings] };
}

function hostOf(written: WrittenClaim, settings: Settings): Resolved<HostCluster> {
  const { origin, spec } = written;
  if (spec.cluster !== undefined) return findHostCluster(spec.cluster, settings, at(origin, ['spec', 'cluster']));
  const [only, ...others] = settings.clusters;
  const value =
    settings.clusters.find(({ name }) => name === settings.claims.cluster) ?? (others.length === 0 ? only : undefined);
  if (value !== undefined) return { value, findings: [] };
  const finding: Finding = {
    code: 'host-cluster-missing',
    at: at(origin, ['spec', 'cluster'], 'key'),
    message: 'The claim names no host cluster, and there are several.',
    remedy: `Add "cluster:" below "spec", one of ${settings.clusters.map(({ name }) => name).join(', ')}.`,
  };
  return { findings: [finding] };
}

/** Fields that are absent where there is nothing to say. */
function optionalParts({ spec, metadata }: WrittenClaim, { claims }: Settings): Partial<Claim> {
  const quota = spec.quota === undefined ? claims.quota : quantitiesOf(spec.quota);
  const limits = spec.limits === undefined ? claims.limits : limitsOf(spec.limits);
  const { labels, annotations } = metadata;
  const renewedAt = annotations?.[renewedAtAnnotation];
  return {
    ...(spec.externalDatabaseSecret !== undefined && { externalDatabaseSecret: spec.externalDatabaseSecret }),
    ...(quota !== undefined && { quota }),
    ...(limits !== undefined && { limits }),
    ...(spec.keepData === true && { keepData: true }),
    ...(spec.chart !== undefined && { chart: helmSourceOf(spec.chart) }),
    ...(labels !== undefined && { labels }),
    ...(annotations !== undefined && { annotations }),
    ...(renewedAt !== undefined && { renewedAt }),
    ...extension(spec.expiry),
  };
}

function ownerOf({ name, email, timeZone, language }: WrittenClaim['spec']['owner']): Owner {
  return { name, email, ...(timeZone !== undefined && { timeZone }), ...(language !== undefined && { language }) };
}

function extension(expiry: WrittenClaim['spec']['expiry']): Pick<Claim, 'extendedUntil'> {
  const extendedUntil = expiry === 'Never' ? undefined : expiry?.extendedUntil;
  return extendedUntil === undefined ? {} : { extendedUntil };
}

function schedulesOf(written: WrittenClaim['spec']['sleepSchedules']): Claim['schedules'] {
  return (written ?? []).map(({ sleep, wake, timeZone }) => ({
    ...(sleep !== undefined && { sleep }),
    ...(wake !== undefined && { wake }),
    timeZone: timeZone ?? 'Etc/UTC',
  }));
}
