import { toSeconds } from '../validate/grammar/duration.ts';
import type { WrittenHelmChart } from '../validate/kinds/claim.ts';
import type { WrittenHookJob } from '../validate/kinds/fields.ts';
import type { WrittenLimits, WrittenQuantities, WrittenResources, WrittenStorage } from '../validate/kinds/workload.ts';
import type { HelmSource, JobSpec, Limits, Resources, Seconds, Storage } from './state.ts';

// From the forms that people may write to the one form that is rendered.

type Quantities = Readonly<Record<string, string>>;

export function durationOr(text: string | undefined, fallback: string): Seconds {
  return toSeconds(text ?? fallback) ?? 0;
}

/** YAML reads `cpu: 2` as a number; quantities are text. Nothing in it is nothing. */
export function quantitiesOf(written: WrittenQuantities | undefined): Quantities | undefined {
  return written === undefined || Object.keys(written).length === 0 ? undefined : asText(written);
}

function asText(written: WrittenQuantities): Quantities {
  return Object.fromEntries(Object.entries(written).map(([name, quantity]) => [name, String(quantity)]));
}

export function resourcesOf({ requests, limits }: WrittenResources): Resources {
  return { requests: asText(requests ?? {}), limits: asText(limits ?? {}) };
}

export function storageOf({ size, className }: WrittenStorage): Storage {
  return { size: String(size), ...(className !== undefined && { className }) };
}

export function limitsOf(written: WrittenLimits | undefined): Limits | undefined {
  const limits = { default: asText(written?.default ?? {}), defaultRequest: asText(written?.defaultRequest ?? {}) };
  const isEmpty = Object.keys(limits.default).length === 0 && Object.keys(limits.defaultRequest).length === 0;
  return isEmpty ? undefined : limits;
}

export function helmSourceOf({ chart, repository, version, values }: WrittenHelmChart): HelmSource {
  return {
    chart,
    ...(repository !== undefined && { repository }),
    ...(version !== undefined && { version }),
    values: values ?? {},
  };
}

export function jobOf({ name, image, command, serviceAccount, timeout }: WrittenHookJob): JobSpec {
  return {
    name,
    image,
    command,
    ...(serviceAccount !== undefined && { serviceAccount }),
    timeout: durationOr(timeout, '10m'),
  };
}
