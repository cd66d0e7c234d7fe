import { join } from 'node:path';
import type { Cluster } from '../../support/cluster.ts';
import { assets } from '../../support/cluster-test.ts';
import { type GitServer, startGitServer } from '../../support/git-server.ts';
import { type SmtpServer, startSmtp } from '../../support/smtp.ts';
import { openWorkshop, type Workshop } from '../../support/temp-repo.ts';
import { type AuditLine, withAudit } from '../sidecar/audit.ts';
import { wholeAudit } from '../sidecar/audit-tail.ts';
import { watchedByAll } from './audit.ts';
import { type Campus, gitUser, openCampus, repositoryName } from './campus.ts';
import { startHost } from './host.ts';
import { appliedIn, objectsIn, shipped } from './rendered.ts';
import { changesBetween, kindsOf, type Snapshot, takeSnapshot } from './snapshot.ts';

export const hostNames = ['atlas', 'borealis'] as const;

export type HostName = (typeof hostNames)[number];

export type Hosts = Readonly<Record<HostName, Cluster>>;

/** Two host clusters, and the repository that they are to follow. */
export interface World {
  readonly hosts: Hosts;
  readonly campus: Campus;
  readonly server: GitServer;
  readonly workshop: Workshop;
  readonly smtp: SmtpServer;
  readonly out: string;
  /** Everything of the kinds that we render, on each cluster. */
  snapshot(): Promise<Picture>;
  /** Of the API server of atlas. */
  audit(): readonly AuditLine[];
  stop(): Promise<void>;
}

export type Picture = Readonly<Record<HostName, Snapshot>>;

/** Addresses that the cluster configs of the shipped state declare. */
const addresses: Readonly<Record<HostName, readonly string[]>> = {
  atlas: ['10.20.1.101', '10.20.1.102', '10.20.1.104'],
  borealis: ['2001:db8:40:1::21', '2001:db8:40:1::22', '2001:db8:40:1::31'],
};

export async function openWorld(): Promise<World> {
  const server = await startGitServer({ repos: [repositoryName], credentials: gitUser });
  const smtp = await startSmtp();
  const workshop = openWorkshop();
  const parts = { atlas: withAudit(assets(), [], watchedByAll), borealis: assets() };
  const [atlas, borealis] = await Promise.all(hostNames.map((name) => startHost(name, addresses[name], parts[name])));
  if (atlas === undefined || borealis === undefined) throw new Error('there have to be two clusters');
  return worldOf({ hosts: { atlas, borealis }, server, smtp, workshop });
}

type Parts = Pick<World, 'hosts' | 'server' | 'smtp' | 'workshop'>;

async function worldOf({ hosts, server, smtp, workshop }: Parts): Promise<World> {
  const campus = await openCampus(workshop, server);
  const kinds = kindsOf(hostNames.flatMap(appliedTo));
  return {
    hosts,
    campus,
    server,
    smtp,
    workshop,
    out: join(campus.repo.dir, 'out'),
    snapshot: async () => {
      const [atlas, borealis] = await Promise.all(hostNames.map((name) => takeSnapshot(hosts[name].access, kinds)));
      return { atlas: atlas ?? new Map(), borealis: borealis ?? new Map() };
    },
    audit: wholeAudit(hosts.atlas.sandbox.folder),
    stop: async () => {
      await Promise.all([hosts.atlas.stop(), hosts.borealis.stop(), smtp.stop()]);
      await server.close();
      workshop.close();
    },
  };
}

/** Nodes too, which nobody applies. */
function appliedTo(name: HostName) {
  return [...appliedIn(join(shipped.out, name)), ...objectsIn('{apiVersion: v1, kind: Node}')];
}

/** Of both clusters, with the cluster's name in each line. */
export function changes(before: Picture, after: Picture, between = changesBetween): readonly string[] {
  return hostNames.flatMap((name) =>
    between(before[name], after[name]).map((line) => line.replace(/^(\S+) /, `$1 ${name} `)),
  );
}
