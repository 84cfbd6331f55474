/** The meter of a running service, and its values as text (Prometheus text format 0.0.4). */

import type { Counter, Histogram, Meter, MetricSpec, Reading } from "../../core/meter.ts";
import { errorText, type Log } from "../../core/log.ts";

type Read = () => Reading | Promise<Reading>;

interface Metric extends MetricSpec {
  type: "counter" | "gauge" | "histogram";
  lines(): string[] | Promise<string[]>;
}

interface Registry extends Meter {
  /** All metrics as text. A reading that fails is left out, and logged. */
  text(): Promise<string>;
}

/** Separates label values in a key: no pattern, kind or code has it. */
const between = "\u0000";

const keyOf = (first = "", second?: string, third?: string): string =>
  second === undefined
    ? first
    : third === undefined
      ? first + between + second
      : first + between + second + between + third;

const escapedHelp = (text: string): string => text.replace(/\\/g, "\\\\").replace(/\n/g, "\\n");
const escapedValue = (text: string): string => escapedHelp(text).replace(/"/g, '\\"');

/** `{a="1",b="2"}`; empty without labels. */
function labelText(names: readonly string[], values: readonly string[]): string {
  const pairs = names.map((name, i) => `${name}="${escapedValue(values[i] ?? "")}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function createCounter({ name, labels = [] }: MetricSpec): Counter & Pick<Metric, "lines"> {
  const counts = new Map<string, number>();
  // Without labels there is one series from the start.
  if (labels.length === 0) counts.set("", 0);
  return {
    count(first, second, third) {
      const key = keyOf(first, second, third);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    lines: () =>
      Array.from(counts, ([key, count]) => `${name}${labelText(labels, key.split(between))} ${count}`),
  };
}

function createHistogram({ name, labels = [], buckets }: MetricSpec & { buckets: readonly number[] }) {
  interface Series {
    /** One for each bucket, and one above all. */
    counts: number[];
    sum: number;
  }
  const all = new Map<string, Series>();
  const add = (key: string): Series => {
    const series = { counts: Array<number>(buckets.length + 1).fill(0), sum: 0 };
    all.set(key, series);
    return series;
  };
  if (labels.length === 0) add("");

  function linesOf([key, { counts, sum }]: [string, Series]): string[] {
    const values = labels.length === 0 ? [] : key.split(between);
    let below = 0;
    const lines = counts.map((count, i) => {
      below += count;
      const bound = i < buckets.length ? String(buckets[i]) : "+Inf";
      return `${name}_bucket${labelText([...labels, "le"], [...values, bound])} ${below}`;
    });
    const own = labelText(labels, values);
    return [...lines, `${name}_sum${own} ${sum}`, `${name}_count${own} ${below}`];
  }

  return {
    observe(value: number, first?: string, second?: string) {
      const key = keyOf(first, second);
      const series = all.get(key) ?? add(key);
      let bucket = 0;
      while (bucket < buckets.length && value > buckets[bucket]!) bucket++;
      series.counts[bucket]!++;
      series.sum += value;
    },
    lines: () => Array.from(all).flatMap(linesOf),
  } satisfies Histogram & Pick<Metric, "lines">;
}

export function createRegistry(log: Pick<Log, "warn">): Registry {
  const metrics = new Map<string, Metric>();
  const readers = new Map<string, Read[]>();

  function added<M extends Pick<Metric, "lines">>(spec: MetricSpec, type: Metric["type"], metric: M): M {
    if (metrics.has(spec.name)) throw new Error(`There are two metrics ${spec.name}.`);
    metrics.set(spec.name, { ...spec, type, lines: metric.lines });
    return metric;
  }

  async function linesOf({ name, labels = [] }: MetricSpec, read: Read): Promise<string[]> {
    try {
      const value = await read();
      if (value === null) return [];
      const readings = typeof value === "number" ? [[[], value] as const] : value;
      return readings.map(([values, value]) => `${name}${labelText(labels, values)} ${value}`);
    } catch (error) {
      log.warn("metrics.reading_failed", { metric: name, error: errorText(error) });
      return [];
    }
  }

  return {
    counter: (spec) => added(spec, "counter", createCounter(spec)),
    histogram: (spec) => added(spec, "histogram", createHistogram(spec)),
    reading(spec, read) {
      const reads = readers.get(spec.name);
      if (reads) {
        reads.push(read);
        return;
      }
      const own = [read];
      readers.set(spec.name, own);
      const lines = async () => (await Promise.all(own.map((one) => linesOf(spec, one)))).flat();
      added(spec, spec.type, { lines });
    },
    async text() {
      const parts: string[] = [];
      for (const { name, help, type, lines } of metrics.values()) {
        parts.push(`# HELP ${name} ${escapedHelp(help)}`, `# TYPE ${name} ${type}`, ...(await lines()));
      }
      return `${parts.join("\n")}\n`;
    },
  };
}
