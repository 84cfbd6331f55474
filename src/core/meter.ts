/** What units report for metrics. A unit creates its counters once; without a listener for metrics they do nothing. */

export interface MetricSpec {
  /** With its unit: `wharf_commit_duration_seconds`; of a counter, with `_total`. */
  name: string;
  help: string;
  /** The names of its labels. Values have to be few: patterns, kinds and codes, never what a caller chose. */
  labels?: readonly string[];
}

export interface Counter {
  /** Counts one event with these label values, in the order of `labels`. */
  count(first?: string, second?: string, third?: string): void;
}

export interface Histogram {
  observe(value: number, first?: string, second?: string): void;
}

/** A value; null if it is unknown now. With labels: their values, and the value. */
export type Reading = number | null | readonly (readonly [label_values: readonly string[], value: number])[];

export interface Meter {
  counter(spec: MetricSpec): Counter;
  /** `buckets`: the upper bounds, ascending. */
  histogram(spec: MetricSpec & { buckets: readonly number[] }): Histogram;
  /** A value that is read when the metrics are. Several units may have one of the same name, with other label values. */
  reading(spec: MetricSpec & { type: "gauge" | "counter" }, read: () => Reading | Promise<Reading>): void;
}

const nothing = { count() {}, observe() {} };

/** The meter without a listener. */
export const no_meter: Meter = { counter: () => nothing, histogram: () => nothing, reading() {} };

/** Bounds for times in seconds, from half a millisecond to the longest wait. */
export const seconds_buckets = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
] as const;
