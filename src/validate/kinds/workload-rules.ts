import type { BackingStore } from '../../resolve/state.ts';
import { at, type DataPath, type Finding, type Origin } from '../finding.ts';
import { type Fault, shown } from '../grammar/fault.ts';
import { inBillionths, isFractionOfByte, type Quantity } from '../grammar/quantity.ts';
import { faultAt } from '../rule.ts';

// What claims and their defaults in the settings have to keep alike.

type Quantities = Readonly<Record<string, Quantity>>;

const mebibytes: readonly string[] = ['memory', 'ephemeral-storage'];

/** Whether so many replicas can share such a store. */
export function replicasFault(store: BackingStore, replicas: number): Fault | undefined {
  if (store === 'embeddedDatabase' && replicas !== 1) {
    return {
      code: 'replicas-not-one',
      message: `${replicas} replicas cannot share an embedded database: it is one file on one volume.`,
      remedy: 'Write replicas: 1, or choose embeddedEtcd, deployedEtcd or externalDatabase.',
    };
  }
  if ((store === 'embeddedEtcd' || store === 'deployedEtcd') && replicas % 2 === 0) {
    const tolerated = replicas / 2 - 1;
    return {
      code: 'replicas-even',
      message: `${replicas} etcd members need ${replicas / 2 + 1} of them alive, so they survive the loss of ${tolerated}, like ${replicas - 1}.`,
      remedy: `Write ${replicas - 1} or ${replicas + 1}.`,
    };
  }
  return undefined;
}

/** Names of resources that are requested beyond their limit. */
export function namesOverLimit(requests: Quantities, limits: Quantities): string[] {
  return Object.keys(requests).filter((name) => {
    const limit = limits[name] === undefined ? undefined : inBillionths(limits[name]);
    const request = inBillionths(requests[name] ?? '0');
    return limit !== undefined && request !== undefined && request > limit;
  });
}

export function overLimitFault(name: string, request: Quantity, limit: Quantity): Fault {
  return {
    code: 'requests-over-limits',
    message: `The request for ${name}, ${shown(request)}, is above the limit ${shown(limit)}.`,
    remedy: 'Raise the limit or lower the request.',
  };
}

/** A LimitRange whose requests exceed its limits is refused, and every pod that says nothing with it. */
export function limitRangeFindings(written: LimitRange | undefined, origin: Origin, path: DataPath): Finding[] {
  const { default: limits = {}, defaultRequest: requests = {} } = written ?? {};
  return namesOverLimit(requests, limits).map((name) => {
    const fault = overLimitFault(name, requests[name] ?? '', limits[name] ?? '');
    return faultAt(fault, origin, [...path, 'defaultRequest', name]);
  });
}

interface LimitRange {
  readonly default?: Quantities | undefined;
  readonly defaultRequest?: Quantities | undefined;
}

/** `memory: 512m`: valid, and never meant. */
export function byteFindings(list: Quantities | undefined, origin: Origin, path: DataPath): Finding[] {
  return Object.entries(list ?? {}).flatMap(([name, quantity]) => {
    const counted = name.replace(/^(?:requests|limits)\./, '');
    if (!mebibytes.includes(counted) && counted !== 'storage') return [];
    return isFractionOfByte(quantity) ? [fractionFinding(quantity, origin, [...path, name])] : [];
  });
}

function fractionFinding(quantity: Quantity, origin: Origin, path: DataPath): Finding {
  const text = String(quantity);
  return {
    code: 'quantity-fraction-of-byte',
    at: at(origin, path),
    message: `${shown(text)} is a fraction of a byte${text.endsWith('m') ? ': "m" means a thousandth' : ''}.`,
    remedy: /^[0-9]+m$/.test(text) ? `Write "${text.slice(0, -1)}Mi" for mebibytes.` : 'Write a whole number of bytes.',
  };
}

export function sizeFindings(size: Quantity | undefined, origin: Origin, path: DataPath): Finding[] {
  if (size === undefined) return [];
  const value = inBillionths(size);
  if (value === 0n) {
    const message = 'A volume of size 0 cannot be made.';
    return [{ code: 'storage-empty', at: at(origin, path), message, remedy: 'Give it a size, for example "5Gi".' }];
  }
  return value !== undefined && isFractionOfByte(size) ? [fractionFinding(size, origin, path)] : [];
}
