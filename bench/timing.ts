/**
 * Tests whether response times reveal which names are claimed: compares a wrong key for a claimed name with one for an
 * unclaimed name, interleaved on one connection, by medians and a rank test. Run alone: bun bench/timing.ts
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../src/core/clock.ts";
import { default_config } from "../src/core/settings.ts";
import { createLog } from "../src/core/log.ts";
import { systemRandom } from "../src/core/random.ts";
import { newSecret } from "../src/core/secrets.ts";
import { serve } from "../src/app/serve.ts";

export interface TimingRow {
  what: string;
  samples: number;
  p50_us: number;
  p90_us: number;
  p99_us: number;
  /** Probability that a random sample is slower than one of the first row (0.5: no difference), Mann–Whitney. */
  probability_slower: number;
  /** Probability of a rank difference at least this large by accident (two-sided, normal approximation). */
  p_value: number;
}

const claimed_names = 1_000;
const rounds = 20_000;
const warm_up_rounds = 2_000;

/** Names with even numbers are claimed, those with odd numbers are not. Both kinds are equally long and interleaved. */
const nameOf = (n: number): string => `agent-${String(n).padStart(4, "0")}`;

/** Measures each kind of wrong credential. The claimed name is measured twice, to show the noise. */
export async function measureTiming(): Promise<TimingRow[]> {
  const directory = mkdtempSync(join(tmpdir(), "wharf-timing-"));
  const log = createLog(systemClock, "error", (line) => void process.stderr.write(line));
  const config = { ...default_config, port: 0, data_dir: directory, rate_limit: false };
  const service = await serve(config, { clock: systemClock, random: systemRandom, log });
  try {
    for (let i = 0; i < claimed_names; i++) {
      const body = JSON.stringify({ name: nameOf(2 * i) });
      const headers = { "content-type": "application/json" };
      await fetch(`${service.url}/api/name`, { method: "POST", headers, body });
    }
    const key = newSecret("wfk_", systemRandom);
    const kinds: [string, (i: number) => Record<string, string>][] = [
      ["claimed name, wrong key", (i) => ({ "x-wf-name": nameOf(2 * i), "x-wf-key": key })],
      ["claimed name again", (i) => ({ "x-wf-name": nameOf(2 * i), "x-wf-key": key })],
      ["unknown name", (i) => ({ "x-wf-name": nameOf(2 * i + 1), "x-wf-key": key })],
    ];
    const times_us = kinds.map(() => [] as number[]);
    for (let round = 0; round < rounds + warm_up_rounds; round++) {
      // Each kind is first equally often, so that the order favours none.
      for (let turn = 0; turn < kinds.length; turn++) {
        const kind = (round + turn) % kinds.length;
        const headers = kinds[kind]![1](round % claimed_names);
        const time_us = await timeOf(`${service.url}/api/name/whoami`, headers);
        if (round >= warm_up_rounds) times_us[kind]!.push(time_us);
      }
    }
    return kinds.map(([what], kind) => rowOf(what, times_us[kind]!, times_us[0]!));
  } finally {
    await service.stop();
    rmSync(directory, { recursive: true });
  }
}

async function timeOf(url: string, headers: Record<string, string>): Promise<number> {
  const begin = Bun.nanoseconds();
  const response = await fetch(url, { method: "POST", headers });
  await response.arrayBuffer();
  const time_us = (Bun.nanoseconds() - begin) / 1000;
  if (response.status !== 401) throw new Error(`answered ${response.status}`);
  return time_us;
}

function rowOf(what: string, times_us: number[], against: number[]): TimingRow {
  const sorted = times_us.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))]!);
  const percentiles = { p50_us: at(0.5), p90_us: at(0.9), p99_us: at(0.99) };
  return { what, samples: sorted.length, ...percentiles, ...rankTest(times_us, against) };
}

/** The rank-sum test of Mann and Whitney (1947), by the normal approximation; ties share their ranks. */
function rankTest(sample: number[], against: number[]): { probability_slower: number; p_value: number } {
  const all = [
    ...sample.map((time) => ({ time, is_sample: true })),
    ...against.map((time) => ({ time, is_sample: false })),
  ].sort((a, b) => a.time - b.time);
  let rank_sum = 0;
  for (let i = 0; i < all.length;) {
    let end = i;
    while (end < all.length && all[end]!.time === all[i]!.time) end++;
    const in_sample = all.slice(i, end).filter(({ is_sample }) => is_sample).length;
    rank_sum += (in_sample * (i + 1 + end)) / 2;
    i = end;
  }
  const [n, m] = [sample.length, against.length];
  const u = rank_sum - (n * (n + 1)) / 2;
  const z = (u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
  return { probability_slower: u / (n * m), p_value: 2 * normalTail(Math.abs(z)) };
}

/** Probability that a standard normal value exceeds `z` ≥ 0 (Abramowitz and Stegun, 26.2.17; error below 7.5e-8). */
function normalTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const powers = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const sum = powers.reduceRight((inner, factor) => (inner + factor) * t, 0);
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}

if (import.meta.main) {
  const rows = await measureTiming();
  console.table(
    rows.map((row) => ({
      ...row,
      probability_slower: row.probability_slower.toFixed(4),
      p_value: row.p_value.toFixed(3),
    })),
  );
}
