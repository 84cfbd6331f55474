/** Token buckets that nodes of one database share: each admits by what it has counted and what it knows of the others. */

import { limits } from "../limits.ts";
import type { KnownUse, UseReport } from "../storage.ts";
import { TokenBuckets } from "./token_buckets.ts";

/** Most keys whose hashes are cached. */
const cached_max = 10_000;

/** Tokens that others do not know of. */
interface Taken {
  tokens: number;
  since_ms: number;
}

export class SharedBuckets extends TokenBuckets {
  readonly #hashes = new Map<string, string>();
  readonly #window_ms: number;
  /** By hash, those that began first at the front. */
  readonly #taken = new Map<string, Taken>();
  /** Keys whose use is worth a report, in the order in which they became so. */
  readonly #noteworthy = new Set<string>();

  /** `hash` hides the key of a caller. */
  constructor(
    policy: string,
    quota: number,
    window_seconds: number,
    private readonly keys_max: number,
    private readonly hash: (policy: string, key: string) => string,
  ) {
    super(policy, quota, window_seconds, keys_max);
    this.#window_ms = window_seconds * 1000;
  }

  override wait(key: string, now_ms: number): number {
    return super.wait(this.#hashed(key), now_ms);
  }

  override left(key: string, now_ms: number) {
    return super.left(this.#hashed(key), now_ms);
  }

  override take(key: string, now_ms: number, tokens = 1): void {
    const hash = this.#hashed(key);
    super.take(hash, now_ms, tokens);
    const taken = this.#taken.get(hash) ?? { tokens: 0, since_ms: now_ms };
    taken.tokens += tokens;
    this.#taken.set(hash, taken);
    this.#note(hash, taken, now_ms);
    if (this.#taken.size > this.keys_max) this.#forget(this.#taken.keys().next().value!);
  }

  /** Notes a caller that has used a noteworthy part of the quota: here since the last report, or everywhere. */
  #note(hash: string, { tokens }: Taken, now_ms: number): void {
    const used_ms = Math.max(tokens * this.token_ms, super.debt(hash, now_ms));
    if (used_ms >= limits.noteworthy_use * this.#window_ms) this.#noteworthy.add(hash);
  }

  #forget(hash: string): void {
    this.#taken.delete(hash);
    this.#noteworthy.delete(hash);
  }

  #hashed(key: string): string {
    const known = this.#hashes.get(key);
    if (known !== undefined) return known;
    if (this.#hashes.size >= cached_max) this.#hashes.clear();
    const hash = this.hash(this.policy, key);
    this.#hashes.set(key, hash);
    return hash;
  }

  /** Up to `reports_max` reports. Forgets use that did not become noteworthy within the window. */
  reports(now_ms: number, reports_max: number): UseReport[] {
    for (const [hash, { since_ms }] of this.#taken) {
      if (now_ms - since_ms < this.#window_ms) break;
      if (!this.#noteworthy.has(hash)) this.#taken.delete(hash);
    }
    return [...this.#noteworthy.values().take(reports_max)].map((key) => {
      const { tokens, since_ms } = this.#taken.get(key)!;
      return { policy: this.policy, key, cost_ms: tokens * this.token_ms, age_ms: now_ms - since_ms };
    });
  }

  /** Notes that others know what was reported at `sent_ms`. */
  reported({ key, cost_ms }: UseReport, sent_ms: number): void {
    const taken = this.#taken.get(key);
    if (!taken) return;
    this.#forget(key);
    const tokens = taken.tokens - Math.round(cost_ms / this.token_ms);
    if (tokens <= 0) return;
    const later = { tokens, since_ms: sent_ms };
    this.#taken.set(key, later);
    this.#note(key, later, sent_ms);
  }

  /** Counts what all nodes had admitted at `sent_ms`. */
  know({ key, debt_ms }: KnownUse, sent_ms: number): void {
    super.raise(key, debt_ms + (this.#taken.get(key)?.tokens ?? 0) * this.token_ms, sent_ms);
  }
}
