import type { DeliveredNotice, DeliveredWarning, LifecycleRecord } from '../resolve/state.ts';
import type { DeliveryReport, Mail, MailKind } from './decision.ts';
import { at, atOr, latest, textOf } from './instants.ts';

const warnings = { sleepWarning: 'Sleep', deletionWarning: 'Deletion' } as const;
const notices = { asleep: 'Asleep', deletionOrdered: 'DeletionOrdered' } as const;

/**
 * The record that tells what the mail server took and what it refused. Folding the same reports in twice changes
 * nothing, and reports about an earlier claim of this name are left out.
 */
export function withDeliveries(record: LifecycleRecord, reports: readonly DeliveryReport[]): LifecycleRecord {
  if (reports.length === 0) return record;
  const about = reports.filter(({ mail }) => mail.claim === record.name && mail.identity === record.identity);
  if (about.length === 0) return record;
  const mails = [...new Set(about.map(({ mail }) => mail))];
  const told = mails.reduce(
    (so, mail) =>
      withMail(
        so,
        mail,
        about.filter((report) => report.mail === mail),
      ),
    record,
  );
  return { ...told, rejections: rejectionsAfter(record, about) };
}

function withMail(record: LifecycleRecord, mail: Mail, reports: readonly DeliveryReport[]): LifecycleRecord {
  const accepted = reports.filter(({ outcome }) => outcome === 'accepted');
  if (accepted.length === 0) return record;
  const delivery = {
    // The last of them: that every owner has at least the time from then on is what counts.
    deliveredAt: textOf(Math.max(...accepted.map((report) => report.at))),
    to: accepted.map(({ to }) => to),
  };
  return isWarning(mail.kind)
    ? withWarning(record, mail, { about: warnings[mail.kind], deadline: textOf(mail.deadline), ...delivery })
    : { ...record, notices: added(record.notices, noticeOf(record, mail.kind, delivery)) };
}

function isWarning(kind: MailKind): kind is keyof typeof warnings {
  return kind in warnings;
}

/** A warning that names a later deadline publishes it. Of warnings of one stage, those of other deadlines are history. */
function withWarning(record: LifecycleRecord, mail: Mail, warning: DeliveredWarning): LifecycleRecord {
  const { deadlines } = record;
  const isSleep = warning.about === 'Sleep';
  const sleep = latest(atOr(deadlines?.sleep, undefined), isSleep ? mail.deadline : undefined);
  const end = latest(atOr(deadlines?.delete, undefined), isSleep ? mail.deletion : mail.deadline);
  const current = record.warnings.filter(
    ({ about, deadline }) => about !== warning.about || deadline === warning.deadline,
  );
  return {
    ...record,
    warnings: added(current, warning),
    deadlines: {
      ...(Number.isFinite(sleep) && { sleep: textOf(sleep) }),
      ...(Number.isFinite(end) && { delete: textOf(end) }),
    },
  };
}

function noticeOf(
  record: LifecycleRecord,
  kind: keyof typeof notices,
  delivery: Pick<DeliveredNotice, 'deliveredAt' | 'to'>,
): DeliveredNotice {
  const about = notices[kind];
  const happened = about === 'Asleep' ? record.asleep?.at : record.deletion?.at;
  return { about, at: happened ?? delivery.deliveredAt, ...delivery };
}

function added<T extends DeliveredWarning | DeliveredNotice>(known: readonly T[], delivery: T): readonly T[] {
  const isKnown = known.some((each) => JSON.stringify(each) === JSON.stringify(delivery));
  return isKnown ? known : [...known, delivery];
}

/** One for each address, the newest; gone as soon as a mail to it is accepted. By address: the same in any order. */
function rejectionsAfter({ rejections }: LifecycleRecord, reports: readonly DeliveryReport[]) {
  const after = new Map(rejections.map((rejection) => [rejection.to, rejection]));
  for (const report of [...reports].sort((a, b) => a.at - b.at)) {
    const known = after.get(report.to);
    if (report.outcome === 'accepted') after.delete(report.to);
    if (report.outcome !== 'rejected' || (known !== undefined && at(known.at) >= report.at)) continue;
    const reply = report.reply === undefined ? {} : { reply: report.reply };
    after.set(report.to, { to: report.to, at: textOf(report.at), ...reply });
  }
  return [...after.values()].sort((a, b) => (a.to < b.to ? -1 : 1));
}
