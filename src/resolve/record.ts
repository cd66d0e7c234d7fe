import type { WrittenRecord } from '../validate/written.ts';
import type { LifecycleRecord } from './state.ts';
import type { Resolved } from './tools.ts';

type Spec = WrittenRecord['spec'];

/** What is not there is not there: `undefined` for a key would not be the same for who compares records. */
export function resolveRecord({ origin, metadata, spec }: WrittenRecord): Resolved<LifecycleRecord> {
  const { renewals = [], warnings = [], notices = [], rejections = [], ...others } = spec;
  const value: LifecycleRecord = {
    origin,
    name: metadata.name,
    renewals: renewals.map(present),
    warnings,
    notices,
    rejections: rejections.map(present),
    ...singles(others),
  };
  return { value, findings: [] };
}

function singles(spec: Omit<Spec, 'renewals' | 'warnings' | 'notices' | 'rejections'>): Partial<LifecycleRecord> {
  const { deadlines, deletion, observed, ...plain } = spec;
  return {
    ...present(plain),
    ...(deadlines !== undefined && { deadlines: present(deadlines) }),
    ...(deletion !== undefined && { deletion: present(deletion) }),
    ...(observed !== undefined && { observed: present(observed) }),
  };
}

type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function present<T extends object>(value: T): Present<T> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Present<T>;
}
