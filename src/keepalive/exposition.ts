/**
 * Counters and their text, in the exposition format 0.0.4 of Prometheus. By hand, since the library that others use here
 * takes four megabytes of the sixty that the page may have.
 */
export type Labels = Readonly<Record<string, string>>;

interface Described {
  readonly name: string;
  readonly help: string;
}

export interface Metric {
  text(): string;
}

export interface Counter extends Metric {
  inc(labels?: Labels): void;
}

export interface Histogram extends Metric {
  observe(labels: Labels, value: number): void;
}

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

export function counter(described: Described): Counter {
  const values = new Map<string, number>();
  return {
    inc: (labels = {}) => {
      const key = labelText(labels);
      values.set(key, (values.get(key) ?? 0) + 1);
    },
    text: () =>
      block(
        described,
        'counter',
        [...values].map(([labels, value]) => `${described.name}${labels} ${value}`),
      ),
  };
}

/** Its value is looked up when somebody asks. */
export function gauge(described: Described, value: () => number, labels: Labels = {}): Metric {
  return { text: () => block(described, 'gauge', [`${described.name}${labelText(labels)} ${value()}`]) };
}

/** `limits` are upper bounds, ascending, without infinity. */
export function histogram(described: Described, limits: readonly number[]): Histogram {
  const { name } = described;
  const series = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number }>();
  return {
    observe: (labels, value) => {
      const key = labelText(labels);
      const known = series.get(key) ?? { labels, counts: [...limits, 0].map(() => 0), sum: 0 };
      const at = limits.findIndex((limit) => value <= limit);
      const bucket = at === -1 ? limits.length : at;
      known.counts[bucket] = (known.counts[bucket] ?? 0) + 1;
      known.sum += value;
      series.set(key, known);
    },
    text: () => {
      const lines = [...series.values()].flatMap(({ labels, counts, sum }) => {
        let below = 0;
        const buckets = counts.map((count, index) => {
          below += count;
          return `${name}_bucket${labelText({ ...labels, le: String(limits[index] ?? '+Inf') })} ${below}`;
        });
        return [...buckets, `${name}_sum${labelText(labels)} ${sum}`, `${name}_count${labelText(labels)} ${below}`];
      });
      return block(described, 'histogram', lines);
    },
  };
}

function block({ name, help }: Described, type: string, lines: readonly string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

function labelText(labels: Labels): string {
  const entries = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (character) => escapes[character] ?? '')}"`,
  );
  return entries.length === 0 ? '' : `{${entries.join(',')}}`;
}
