import { at, type Finding, type Origin } from '../finding.ts';
import { shown } from '../grammar/fault.ts';
import { instantFault } from '../grammar/instant.ts';
import { faultAt, type Rule } from '../rule.ts';
import { chartFindings } from './chart-rules.ts';
import { type ClaimDocument, renewedAtAnnotation } from './claim.ts';
import { nameBudgetFault } from './claim-name.ts';
import { valuesHaveAnEffect, valuesLeaveTheSpecAlone } from './claim-values.ts';
import { byteFindings, limitRangeFindings, sizeFindings } from './workload-rules.ts';

export const claimRules: readonly Rule<ClaimDocument>[] = [
  nameFitsItsBudgets,
  renewedAtIsAnInstant,
  ownersDiffer,
  schedulesDoSomething,
  sleepAndWakeDiffer,
  protectedIsNotDeleted,
  bytesAreWhole,
  limitRangeIsPossible,
  storageHasASize,
  chartIsPinned,
  valuesLeaveTheSpecAlone,
  valuesHaveAnEffect,
];

/** A store that comes from the settings may leave less room: `resolve` looks again. */
function nameFitsItsBudgets({ metadata, spec }: ClaimDocument, origin: Origin): Finding[] {
  const fault = nameBudgetFault(metadata.name, spec.backingStore ?? 'embeddedDatabase');
  return fault === undefined ? [] : [faultAt(fault, origin, ['metadata', 'name'])];
}

function renewedAtIsAnInstant({ metadata }: ClaimDocument, origin: Origin): Finding[] {
  const text = metadata.annotations?.[renewedAtAnnotation];
  const fault = text === undefined ? undefined : instantFault(text);
  return fault === undefined ? [] : [faultAt(fault, origin, ['metadata', 'annotations', renewedAtAnnotation])];
}

function ownersDiffer({ spec }: ClaimDocument, origin: Origin): Finding[] {
  const seen = new Set([spec.owner.email.toLowerCase()]);
  return (spec.owners ?? []).flatMap(({ email }, index): Finding[] => {
    if (!seen.has(email.toLowerCase())) {
      seen.add(email.toLowerCase());
      return [];
    }
    const message = `${shown(email)} is an owner already.`;
    return [
      { code: 'owner-repeated', at: at(origin, ['spec', 'owners', index, 'email']), message, remedy: 'Remove it.' },
    ];
  });
}

function schedulesDoSomething({ spec }: ClaimDocument, origin: Origin): Finding[] {
  return (spec.sleepSchedules ?? []).flatMap(({ sleep, wake }, index): Finding[] => {
    if (sleep !== undefined || wake !== undefined) return [];
    return [
      {
        code: 'schedule-empty',
        at: at(origin, ['spec', 'sleepSchedules', index]),
        message: 'The schedule neither puts the claim to sleep nor wakes it.',
        remedy: 'Add "sleep" or "wake", or remove the schedule.',
      },
    ];
  });
}

/** Only equal lines in one zone are compared: telling whether two different lines ever meet is another matter. */
function sleepAndWakeDiffer({ spec }: ClaimDocument, origin: Origin): Finding[] {
  const schedules = spec.sleepSchedules ?? [];
  const when = (line: string, zone: string | undefined): string =>
    `${line.trim().replace(/\s+/g, ' ').toLowerCase()} ${zone ?? 'Etc/UTC'}`;
  const sleeps = new Set(
    schedules.flatMap(({ sleep, timeZone }) => (sleep === undefined ? [] : [when(sleep, timeZone)])),
  );
  return schedules.flatMap(({ wake, timeZone }, index): Finding[] => {
    if (wake === undefined || !sleeps.has(when(wake, timeZone))) return [];
    return [
      {
        code: 'schedule-conflict',
        at: at(origin, ['spec', 'sleepSchedules', index, 'wake']),
        message: `At ${shown(wake)} the claim would be put to sleep and woken at once.`,
        remedy: 'Choose different times.',
      },
    ];
  });
}

function protectedIsNotDeleted({ spec }: ClaimDocument, origin: Origin): Finding[] {
  if (spec.state !== 'Deleted' || spec.protected !== true) return [];
  return [
    {
      code: 'claim-protected-deleted',
      at: at(origin, ['spec', 'state']),
      message: 'The claim is protected, so it cannot be deleted.',
      remedy: 'Remove "protected: true" in a change of its own first, or take "state: Deleted" back.',
      related: [{ message: 'protected here', at: at(origin, ['spec', 'protected']) }],
    },
  ];
}

function bytesAreWhole({ spec }: ClaimDocument, origin: Origin): Finding[] {
  return [
    ...byteFindings(spec.resources?.requests, origin, ['spec', 'resources', 'requests']),
    ...byteFindings(spec.resources?.limits, origin, ['spec', 'resources', 'limits']),
    ...byteFindings(spec.limits?.default, origin, ['spec', 'limits', 'default']),
    ...byteFindings(spec.limits?.defaultRequest, origin, ['spec', 'limits', 'defaultRequest']),
    ...byteFindings(spec.quota, origin, ['spec', 'quota']),
  ];
}

function limitRangeIsPossible({ spec }: ClaimDocument, origin: Origin): Finding[] {
  return limitRangeFindings(spec.limits, origin, ['spec', 'limits']);
}

function storageHasASize({ spec }: ClaimDocument, origin: Origin): Finding[] {
  return sizeFindings(spec.storage?.size, origin, ['spec', 'storage', 'size']);
}

function chartIsPinned({ spec }: ClaimDocument, origin: Origin): Finding[] {
  return spec.chart === undefined ? [] : chartFindings(spec.chart, origin, ['spec', 'chart'], ['state/charts/']);
}
