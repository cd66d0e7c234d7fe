import { at, type Finding } from '../validate/finding.ts';
import { durationText, toSeconds } from '../validate/grammar/duration.ts';
import { shown } from '../validate/grammar/fault.ts';
import type { WrittenClaim } from '../validate/written.ts';
import type { Claim, ExpirySettings } from './state.ts';

interface ResolvedExpiry {
  readonly value: Claim['expiry'];
  readonly findings: readonly Finding[];
}

export function resolveExpiry({ origin, spec }: WrittenClaim, defaults: ExpirySettings): ResolvedExpiry {
  const written = spec.expiry;
  if (written === 'Never') return { value: 'Never', findings: [] };
  const after = toSeconds(written?.after ?? '') ?? defaults.after;
  const grace = toSeconds(written?.grace ?? '') ?? defaults.grace;
  const findings: Finding[] = [];
  for (const [field, seconds] of Object.entries({ after, grace })) {
    const text = written?.[field as 'after' | 'grace'];
    if (text === undefined || seconds >= defaults.warnBefore) continue;
    findings.push({
      code: 'expiry-too-short',
      at: at(origin, ['spec', 'expiry', field]),
      message: `${shown(text)} leaves no time for a warning ${durationText(defaults.warnBefore)} ahead.`,
      remedy: `Write "${durationText(defaults.warnBefore)}" or more.`,
    });
  }
  const over = after + grace - (defaults.after + defaults.grace + defaults.maxExtension);
  if (written !== undefined && over > 0) findings.push(overCap({ origin, over, defaults }));
  return { value: { after, grace }, findings };
}

interface Over extends Pick<WrittenClaim, 'origin'> {
  readonly over: number;
  readonly defaults: ExpirySettings;
}

function overCap({ origin, over, defaults }: Over): Finding {
  const cap = defaults.after + defaults.grace + defaults.maxExtension;
  return {
    code: 'expiry-over-cap',
    at: at(origin, ['spec', 'expiry']),
    message: `Together "after" and "grace" are ${durationText(over)} more than the ${durationText(cap)} that the settings allow.`,
    remedy: 'Shorten them, or write "expiry: Never" if the claim is to stay.',
  };
}
