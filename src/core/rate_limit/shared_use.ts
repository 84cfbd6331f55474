/**
 * One budget for all nodes of a database. Each node admits by itself, so no call waits for another node, and once a second they
 * exchange what they have admitted. With N nodes and a limit of L in a window, a caller who spreads calls over all of them gets
 * at most L + (N - 1) * (L / 10 + what a node admits in two seconds) in a window, and never more than N * L. What was admitted too
 * much is a debt: it is refilled before anything else is admitted.
 */

import type { ServiceClock } from "../clock.ts";
import { limits } from "../limits.ts";
import { errorText, type Log } from "../log.ts";
import type { Storage, UseReport } from "../storage.ts";
import type { SharedBuckets } from "./shared_buckets.ts";

export class SharedUse {
  readonly #buckets = new Map<string, SharedBuckets>();
  #secret = new Uint8Array();
  #cancel = () => {};
  #is_running = false;
  #is_closed = false;
  #is_failing = false;

  constructor(
    private readonly storage: Pick<Storage<never>, "shareUse">,
    private readonly clock: Pick<ServiceClock, "monotonic" | "steady" | "after">,
    private readonly log: Log,
  ) {}

  /** An HMAC of a caller's key, so that the database contains no addresses. */
  readonly hash = (policy: string, key: string): string =>
    new Bun.CryptoHasher("sha256", this.#secret)
      .update(`use of ${policy} by ${key}`)
      .digest("hex")
      .slice(0, 32);

  /** Adds the buckets of a limit. */
  add(buckets: SharedBuckets): void {
    this.#buckets.set(buckets.policy, buckets);
  }

  /** Begins to exchange. Resolves when this node knows what the others have admitted. `server_secret`: 32 bytes in hex. */
  async start(server_secret: string): Promise<void> {
    this.#secret = Uint8Array.fromHex(server_secret);
    await this.#exchange();
  }

  /** Exchanges, and schedules the next exchange. If the database does not answer, the node continues with its own count. */
  async #exchange(): Promise<void> {
    this.#is_running = true;
    const sent_ms = this.clock.monotonic();
    const steady_ms = this.clock.steady();
    const reports: UseReport[] = [];
    for (const buckets of this.#buckets.values())
      reports.push(...buckets.reports(sent_ms, limits.use_reports_max - reports.length));
    try {
      const known = await this.storage.shareUse!(reports, steady_ms);
      for (const report of reports) this.#buckets.get(report.policy)!.reported(report, sent_ms);
      for (const use of known) this.#buckets.get(use.policy)?.know(use, sent_ms);
      this.#is_failing = false;
    } catch (error) {
      // The next exchange reports the same again: what was added without an answer counts twice, and is refilled.
      if (!this.#is_failing && !this.#is_closed)
        this.log.warn("limits.not_shared", { error: errorText(error) });
      this.#is_failing = true;
    }
    this.#is_running = false;
    if (this.#is_closed) return;
    this.#cancel = this.clock.after(limits.use_exchange_seconds * 1000, () => void this.#exchange());
  }

  /** Reports a last time. Call it before the storage closes. */
  close(): void {
    this.#is_closed = true;
    this.#cancel();
    if (!this.#is_running) void this.#exchange();
  }
}
