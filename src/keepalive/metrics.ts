import { version } from '../version.ts';
import { type Counter, counter, expositionType, gauge, type Histogram, histogram } from './exposition.ts';

/** Everything that /metrics shows of the page; docs/keepalive.md explains each of them, and a test compares the two. */
export interface KeepaliveMetrics {
  /** `method` and `page`: what was shown, as in view.ts, with the reason where it was refused. */
  readonly pages: Counter;
  /** By `method`. */
  readonly pageSeconds: Histogram;
  /** By `outcome`. */
  readonly attempts: Counter;
  /** By `outcome`. */
  readonly renewals: Counter;
  readonly workers: Counter;
  text(): string;
  readonly contentType: string;
}

export interface Waiting {
  readonly count: number;
  /** Of the oldest one; 0 without any. */
  readonly seconds: number;
}

const named = (name: string, help: string) => ({ name: `quiesce_keepalive_${name}`, help });

export function openKeepaliveMetrics(waiting: () => Waiting): KeepaliveMetrics {
  const started = Math.round(Date.now() / 1000 - process.uptime());
  const pages = counter(named('pages_total', 'Pages by what they said.'));
  const pageSeconds = histogram(
    named('page_seconds', 'How long they took; a press of the button waits for git.'),
    [0.005, 0.05, 0.5, 2, 10],
  );
  const attempts = counter(named('commits_total', 'Attempts to write renewals to git, by what came of them.'));
  const renewals = counter(named('renewals_total', 'Presses of the button by what they did.'));
  const workers = counter(named('workers_total', 'Starts of the process that works with git.'));
  const all = [
    gauge({ name: 'process_resident_memory_bytes', help: 'Resident memory.' }, () => process.memoryUsage.rss()),
    gauge({ name: 'process_start_time_seconds', help: 'When it was started.' }, () => started),
    gauge({ name: 'quiesce_build_info', help: 'Always 1.' }, () => 1, { version }),
    pages,
    pageSeconds,
    attempts,
    renewals,
    gauge(named('waiting', 'Renewals that git does not have yet.'), () => waiting().count),
    gauge(named('waiting_seconds', 'For how long the oldest of them has been waiting.'), () => waiting().seconds),
    workers,
  ];
  return {
    pages,
    pageSeconds,
    attempts,
    renewals,
    workers,
    text: () => all.map((metric) => metric.text()).join('\n'),
    contentType: expositionType,
  };
}
