/**
 * One copy of what many objects say alike: labels of the Pods of one Deployment, the two tolerations that nearly every
 * Pod has, the names of nodes and namespaces. Halves what 20,000 Pods take.
 */
export interface Pool {
  text(value: string): string;
  /** Treated as unchangeable from here on. */
  data<T extends object>(value: T): T;
}

/** Forgetting costs a few copies; remembering everything that has ever been would cost more each day. */
const limit = 50_000;

export function openPool(): Pool {
  const texts = new Map<string, string>();
  const data = new Map<string, object>();
  return {
    text: (value) => remembered(texts, value, value),
    data: <T extends object>(value: T) => remembered(data, JSON.stringify(value), value) as T,
  };
}

function remembered<T>(known: Map<string, T>, key: string, value: T): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= limit) known.clear();
  known.set(key, value);
  return value;
}
