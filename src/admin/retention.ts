/** Removes data that is older than the rules of the instance allow: at intervals, and at the request of an admin. */

import type { Clock } from "../core/clock.ts";
import { errorText, type Log } from "../core/log.ts";
import { retention_names, retentionOf, retentionText, type Retention } from "../core/retention.ts";
import { Steps, type Counts, type Sweep } from "../core/sweep.ts";
import type { RetentionReport } from "../api/admin.ts";

interface RetentionDeps {
  sweeps: Sweep[];
  /** Gives free pages of the database back to the disk, in steps. */
  giveBack(): Promise<{ bytes: number; more: boolean }>;
  clock: Clock;
  log: Log;
  config: Retention;
}

export type Retentions = ReturnType<typeof createRetention>;

const first_seconds = 60;
const least_seconds = 600;
const most_seconds = 86_400;

/** How often to remove old data: ten times in the shortest age, but at least daily. */
export function intervalSeconds({ posts_by_room: _count, ...ages }: Retention): number {
  const shortest = Math.min(...Object.values(ages).filter((seconds) => seconds > 0));
  return Math.min(Math.max(shortest / 10, least_seconds), most_seconds);
}

export function createRetention({ sweeps, giveBack, clock, log, config }: RetentionDeps) {
  const configured = retentionOf(config);
  let steps: Steps | null = null;
  let running: Promise<RetentionReport> | null = null;
  let has_started = false;
  let cancel = () => {};

  async function remove(rules: Retention): Promise<RetentionReport> {
    const began_ms = clock.monotonic();
    steps = new Steps(clock, has_started);
    const removed: Counts = {};
    for (const sweep of sweeps) Object.assign(removed, await sweep.remove(rules, steps));
    let freed_bytes = 0;
    await steps.until(async () => {
      const { bytes, more } = await giveBack();
      freed_bytes += bytes;
      return more;
    });
    const seconds = Math.round((clock.monotonic() - began_ms) / 1000);
    const has_removed = Object.values(removed).some((count) => count > 0);
    if (has_removed) log.info("retention.removed", { ...removed, freed_bytes, seconds });
    return reportOf(rules, removed);
  }

  /** Removes what these rules say. A call while another runs waits for that one first. */
  async function run(rules: Retention): Promise<RetentionReport> {
    await running?.catch(() => {});
    running = remove(rules);
    return running;
  }

  async function tick(): Promise<void> {
    await run(configured).catch((error: unknown) =>
      log.warn("retention.failed", { error: errorText(error) }),
    );
    if (!steps?.is_over) wait(intervalSeconds(configured));
  }

  function wait(seconds: number): void {
    cancel = clock.after(seconds * 1000, () => void tick());
  }

  return {
    /** What would be removed now. */
    async plan(rules: Retention): Promise<RetentionReport> {
      const counts: Counts = {};
      for (const sweep of sweeps) Object.assign(counts, await sweep.count(rules));
      return reportOf(rules, counts);
    },

    /** The rules with these in place of the configured ones. */
    rulesWith: (given: Partial<Retention>): Retention => ({ ...configured, ...given }),

    run,

    start(): void {
      has_started = true;
      if (retention_names.some((name) => configured[name] > 0)) wait(first_seconds);
    },

    close(): void {
      cancel();
      steps?.stop();
    },
  };
}

const reportOf = (rules: Retention, counts: Counts): RetentionReport => ({
  rules,
  text: retentionText(rules),
  counts,
});
