import { at, type Finding } from '../validate/finding.ts';
import { shown } from '../validate/grammar/fault.ts';
import type { WrittenClaim } from '../validate/written.ts';
import type { Claim, HostCluster, Settings } from './state.ts';
import type { Hash, Resolved } from './tools.ts';
import { translate } from './translate.ts';

const longestHost = 253;

/** `<claim>.<base domain>` to the Service `http` of the virtual cluster's namespace `default`, whether it is there yet or not. */
export function resolveExposure(
  { origin, spec, metadata: { name } }: WrittenClaim,
  cluster: HostCluster,
  settings: Settings,
  hash: Hash,
): Resolved<NonNullable<Claim['exposure']>> {
  const domain = cluster.exposedAppsBaseDomain;
  if (domain === undefined) {
    return { findings: spec.expose === true ? [withoutDomain({ origin, cluster })] : [] };
  }
  if (spec.expose === false) return { findings: [] };
  const host = `${name}.${domain}`;
  const findings: Finding[] = [];
  if (host.length > longestHost) {
    findings.push({
      code: 'host-too-long',
      at: at(origin, ['metadata', 'name']),
      message: `${shown(host)} has ${host.length} characters; a host name may have ${longestHost}.`,
      remedy: `Shorten the name by ${host.length - longestHost}, or write "expose: false".`,
    });
  }
  if (host === settings.keepalive?.host) {
    findings.push({
      code: 'host-taken',
      at: at(origin, ['metadata', 'name']),
      message: `${shown(host)} is where the keep-alive page is served.`,
      remedy: 'Choose another name, or write "expose: false".',
    });
  }
  return { value: { host, service: translate('http', 'default', name, hash) }, findings };
}

function withoutDomain({ origin, cluster }: Pick<WrittenClaim, 'origin'> & { readonly cluster: HostCluster }): Finding {
  return {
    code: 'expose-without-domain',
    at: at(origin, ['spec', 'expose']),
    message: `The host cluster ${shown(cluster.name)} has no base domain to expose claims under.`,
    remedy: 'Set "exposedAppsBaseDomain" for it in the settings, or remove "expose".',
  };
}
