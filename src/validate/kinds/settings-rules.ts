import { at, type DataPath, type Finding, type Origin } from '../finding.ts';
import { durationText, toSeconds } from '../grammar/duration.ts';
import { shown } from '../grammar/fault.ts';
import { faultAt, type Rule } from '../rule.ts';
import { closest } from '../suggest.ts';
import { imageFindings } from './image-rules.ts';
import { policyRules } from './policy-rules.ts';
import type { SettingsDocument } from './settings.ts';
import {
  byteFindings,
  limitRangeFindings,
  namesOverLimit,
  overLimitFault,
  replicasFault,
  sizeFindings,
} from './workload-rules.ts';

export const settingsRules: readonly Rule<SettingsDocument>[] = [
  clusterNamesDiffer,
  oneClusterIsHome,
  configsAreInOneCluster,
  defaultClusterExists,
  replicasSuitTheStore,
  requestsStayBelowLimits,
  bytesAreWhole,
  limitRangeIsPossible,
  storageHasASize,
  warningsComeInTime,
  outputHasAFolder,
  httpsHasACertificate,
  taintsAreSharedWithOthers,
  imageIsPinned,
  ...policyRules,
];

const week = 7 * 86_400;

function clusterNamesDiffer({ spec }: SettingsDocument, origin: Origin): Finding[] {
  const first = new Map<string, number>();
  return spec.clusters.flatMap(({ name }, index): Finding[] => {
    const before = first.get(name);
    if (before === undefined) {
      first.set(name, index);
      return [];
    }
    return [
      {
        code: 'host-cluster-repeated',
        at: at(origin, ['spec', 'clusters', index, 'name']),
        message: `There is a host cluster ${shown(name)} already.`,
        remedy: 'Rename one of them.',
        related: [{ message: 'the first one', at: at(origin, ['spec', 'clusters', before, 'name']) }],
      },
    ];
  });
}

function oneClusterIsHome({ spec: { clusters } }: SettingsDocument, origin: Origin): Finding[] {
  const homes = clusters.flatMap(({ home }, index) => (home === true ? [index] : []));
  if (homes.length === 1 || (homes.length === 0 && clusters.length === 1 && clusters[0]?.home === undefined)) return [];
  const [, second] = homes;
  if (second === undefined) {
    const message = 'No host cluster is home, so nothing would warn owners or renew claims.';
    return [
      {
        code: 'home-not-one',
        at: at(origin, ['spec', 'clusters']),
        message,
        remedy: 'Write "home: true" for one of them.',
      },
    ];
  }
  return [
    {
      code: 'home-not-one',
      at: at(origin, ['spec', 'clusters', second, 'home']),
      message: `${homes.length} host clusters are home; their lifecycle runners would race.`,
      remedy: 'Leave "home: true" on one of them.',
    },
  ];
}

function configsAreInOneCluster({ spec }: SettingsDocument, origin: Origin): Finding[] {
  const owner = new Map(spec.clusters.map(({ name }) => [name, name]));
  return spec.clusters.flatMap(({ name, configs }, index) =>
    (configs ?? []).flatMap((config, position): Finding[] => {
      const other = owner.get(config);
      owner.set(config, other ?? name);
      if (other === undefined || other === name) return [];
      return [
        {
          code: 'config-in-two-clusters',
          at: at(origin, ['spec', 'clusters', index, 'configs', position]),
          message: `The cluster config ${shown(config)} belongs to host cluster ${shown(other)} already.`,
          remedy: 'Name it in one of them.',
        },
      ];
    }),
  );
}

function defaultClusterExists({ spec }: SettingsDocument, origin: Origin): Finding[] {
  const wanted = spec.claims.cluster;
  const names = spec.clusters.map(({ name }) => name);
  if (wanted === undefined || names.includes(wanted)) return [];
  const meant = closest(wanted, names);
  return [
    {
      code: 'host-cluster-unknown',
      at: at(origin, ['spec', 'claims', 'cluster']),
      message: `There is no host cluster ${shown(wanted)}.`,
      remedy: meant === undefined ? `Use one of ${names.join(', ')}.` : `Did you mean ${shown(meant)}?`,
    },
  ];
}

function replicasSuitTheStore({ spec: { claims } }: SettingsDocument, origin: Origin): Finding[] {
  if (claims.replicas === undefined) return [];
  const fault = replicasFault(claims.backingStore ?? 'embeddedDatabase', claims.replicas);
  return fault === undefined ? [] : [faultAt(fault, origin, ['spec', 'claims', 'replicas'])];
}

function requestsStayBelowLimits({ spec: { claims } }: SettingsDocument, origin: Origin): Finding[] {
  const { requests = {}, limits = {} } = claims.resources ?? {};
  return namesOverLimit(requests, limits).map((name) =>
    faultAt(overLimitFault(name, requests[name] ?? '', limits[name] ?? ''), origin, [
      'spec',
      'claims',
      'resources',
      'requests',
      name,
    ]),
  );
}

function bytesAreWhole({ spec: { claims } }: SettingsDocument, origin: Origin): Finding[] {
  const base: DataPath = ['spec', 'claims'];
  return [
    ...byteFindings(claims.resources?.requests, origin, [...base, 'resources', 'requests']),
    ...byteFindings(claims.resources?.limits, origin, [...base, 'resources', 'limits']),
    ...byteFindings(claims.limits?.default, origin, [...base, 'limits', 'default']),
    ...byteFindings(claims.limits?.defaultRequest, origin, [...base, 'limits', 'defaultRequest']),
    ...byteFindings(claims.quota, origin, [...base, 'quota']),
  ];
}

function limitRangeIsPossible({ spec: { claims } }: SettingsDocument, origin: Origin): Finding[] {
  return limitRangeFindings(claims.limits, origin, ['spec', 'claims', 'limits']);
}

function storageHasASize({ spec: { claims } }: SettingsDocument, origin: Origin): Finding[] {
  return sizeFindings(claims.storage?.size, origin, ['spec', 'claims', 'storage', 'size']);
}

function warningsComeInTime({ spec: { expiry = {} } }: SettingsDocument, origin: Origin): Finding[] {
  const warnBefore = toSeconds(expiry.warnBefore ?? '7d') ?? week;
  if (warnBefore < week) {
    return [
      {
        code: 'warning-too-short',
        at: at(origin, ['spec', 'expiry', 'warnBefore']),
        message: `Warnings ${durationText(warnBefore)} ahead come too late: nothing is deleted within 7d of its warning.`,
        remedy: 'Write "7d" or more.',
      },
    ];
  }
  const times = { after: expiry.after ?? '90d', grace: expiry.grace ?? '60d' };
  return Object.entries(times).flatMap(([field, text]): Finding[] => {
    if ((toSeconds(text) ?? warnBefore) >= warnBefore) return [];
    return [
      {
        code: 'expiry-too-short',
        at: at(origin, ['spec', 'expiry', field]),
        message: `${shown(text)} leaves no time for a warning ${durationText(warnBefore)} ahead.`,
        remedy: `Write "${durationText(warnBefore)}" or more.`,
      },
    ];
  });
}

function outputHasAFolder({ spec }: SettingsDocument, origin: Origin): Finding[] {
  const path = spec.git.target?.path;
  if (path === undefined) return [];
  const parts = path.split('/');
  const isOutside =
    path.startsWith('/') || parts.some((part) => part === '' || part === '.' || part === '..' || part === '.git');
  if (!isOutside && parts[0] !== 'state') return [];
  return [
    {
      code: 'git-target-path',
      at: at(origin, ['spec', 'git', 'target', 'path']),
      message: `${shown(path)} cannot hold the output${parts[0] === 'state' ? ': people write there' : ''}.`,
      remedy: 'Write a folder inside the repository, for example "out".',
    },
  ];
}

function httpsHasACertificate({ spec: { ingress } }: SettingsDocument, origin: Origin): Finding[] {
  if (ingress?.tls !== true || ingress.tlsSecret !== undefined) return [];
  if (Object.keys(ingress.annotations ?? {}).some((key) => key.includes('issuer'))) return [];
  return [
    {
      code: 'tls-without-certificate',
      at: at(origin, ['spec', 'ingress', 'tls']),
      message: 'Neither a Secret nor an issuer is named that https could take a certificate from.',
      remedy: 'Set "tlsSecret", or an issuer annotation such as "cert-manager.io/cluster-issuer".',
    },
  ];
}

function taintsAreSharedWithOthers({ spec }: SettingsDocument, origin: Origin): Finding[] {
  if (spec.maintenance?.taints !== 'applier') return [];
  return [
    {
      code: 'taints-by-applier',
      at: at(origin, ['spec', 'maintenance', 'taints']),
      message:
        'Every sync replaces the whole list of taints of each node, also those of administrators and of Kubernetes.',
      remedy: 'Write "sidecar", unless nobody else taints these nodes and they are named by their address.',
    },
  ];
}

function imageIsPinned({ spec }: SettingsDocument, origin: Origin): Finding[] {
  return imageFindings(spec.images.quiesce, origin, ['spec', 'images', 'quiesce']);
}
