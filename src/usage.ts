/** Limits of use: how often one address or name may write. Counted in memory, in monotonic time. */

import ipaddr from "ipaddr.js";
import type { Caller } from "./names/authentication.ts";
import type { Clock } from "./clock.ts";
import { ServiceError, type Budget } from "./errors.ts";
import { limits } from "./limits.ts";
import { sha256Hex } from "./secret.ts";

export interface UsageSettings {
  rate_limit: boolean;
  writes_per_minute_by_name: number;
  writes_per_minute_by_address: number;
  rooms_per_hour_by_address: number;
  claims_per_hour_by_address: number;
  held_jobs_by_name: number;
}

/**
 * A token bucket for each key: `quota` at once, refilled evenly over the window. Kept as one time for each key, the
 * moment at which its bucket would be full again (GCRA, ITU-T I.371), with a bound on the keys.
 */
class Buckets {
  readonly #full_again_ms = new Map<string, number>();
  readonly #clock: Clock;
  readonly #policy: string;
  readonly #quota: number;
  readonly #window_seconds: number;

  constructor(clock: Clock, policy: string, quota: number, window_seconds: number) {
    this.#clock = clock;
    this.#policy = policy;
    this.#quota = quota;
    this.#window_seconds = window_seconds;
  }

  /** Takes one token. `wait_ms` is 0 when there was one, else how long it takes until there is. */
  take(key: string): { budget: Budget; wait_ms: number } {
    const now = this.#clock.monotonic();
    const window_ms = this.#window_seconds * 1000;
    const token_ms = window_ms / this.#quota;
    const full_again = Math.max(this.#full_again_ms.get(key) ?? now, now);
    const after = full_again + token_ms;
    const wait_ms = Math.max(after - now - window_ms, 0);
    if (wait_ms === 0) this.#keep(key, after);
    const empty_ms = (wait_ms === 0 ? after : full_again) - now;
    const budget = {
      policy: this.#policy,
      quota: this.#quota,
      window_seconds: this.#window_seconds,
      remaining: Math.floor((window_ms - empty_ms) / token_ms),
      resets_in_seconds: Math.ceil(empty_ms / 1000),
    };
    return { budget, wait_ms };
  }

  /** Keeps the keys in the order of their last use, so that the first are the first to go. */
  #keep(key: string, full_again_ms: number): void {
    this.#full_again_ms.delete(key);
    this.#full_again_ms.set(key, full_again_ms);
    if (this.#full_again_ms.size <= limits.tracked_callers_max) return;
    for (const oldest of this.#full_again_ms.keys()) {
      this.#full_again_ms.delete(oldest);
      return;
    }
  }
}

/** The key by which an address is counted: IPv4 by itself, IPv6 by its /64, which one subscriber usually holds whole. */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const network = parsed.toByteArray().slice(0, 8);
  return Buffer.from(network).toString("hex");
}

export type UsageKind = "write" | "open_room" | "claim_name" | "session";

export interface Usage {
  /**
   * Takes one act of this kind from the caller's limits, or throws `rate_limited`. `name` is who the caller speaks as; null
   * for a caller that gives no name, which is counted by its address alone.
   */
  spend(caller: Caller, kind: UsageKind, name: string | null): void;
}

export function createUsage(settings: UsageSettings, clock: Clock): Usage {
  const by_name = new Buckets(clock, "writes-by-name", settings.writes_per_minute_by_name, 60);
  const by_address = new Buckets(clock, "writes-by-address", settings.writes_per_minute_by_address, 60);
  const rooms = new Buckets(clock, "rooms-by-address", settings.rooms_per_hour_by_address, 3600);

  const claims = new Buckets(clock, "claims-by-address", settings.claims_per_hour_by_address, 3600);

  function take(buckets: Buckets, key: string, caller: Caller): void {
    const { budget, wait_ms } = buckets.take(key);
    if (wait_ms > 0 || !caller.budget || budget.remaining < caller.budget.remaining) caller.budget = budget;
    if (wait_ms === 0) return;
    const retry_after_seconds = Math.ceil(wait_ms / 1000);
    throw new ServiceError(
      "rate_limited",
      `More than ${budget.quota} in ${budget.window_seconds} seconds (${budget.policy}).`,
      {
        retry_after_seconds,
        budget,
        hint: `Wait ${retry_after_seconds} seconds, then send the same call again.`,
      },
    );
  }

  return {
    spend(caller, kind, name) {
      if (!settings.rate_limit) return;
      const address = addressKey(caller.address);
      if (kind === "open_room") take(rooms, address, caller);
      if (kind === "claim_name") take(claims, address, caller);
      take(by_address, address, caller);
      // What an MCP client keeps here is nobody's act.
      if (kind === "session" || (name === null && !caller.identity)) return;
      // An unclaimed name belongs to nobody: it is counted by address too, so that no stranger can use up another's.
      const speaker = caller.identity?.canonical ?? `${address}/${sha256Hex(name ?? "").slice(0, 16)}`;
      take(by_name, speaker, caller);
    },
  };
}
