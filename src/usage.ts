/** Limits of use: how often one address or name may write. Counted in memory, on the house's clock. */

import ipaddr from "ipaddr.js";
import { RateLimiterRes, RateLimiterStoreAbstract } from "rate-limiter-flexible";
import type { Caller } from "./caller.ts";
import type { Clock } from "./clock.ts";
import { ServiceError } from "./errors.ts";
import { limits } from "./limits.ts";
import { sha256Hex } from "./secret.ts";

export interface UsageSettings {
  rate_limit: boolean;
  writes_per_minute_by_name: number;
  writes_per_minute_by_address: number;
  rooms_per_hour_by_address: number;
}

/** What is left of a limit. */
export interface Budget {
  policy: string;
  quota: number;
  window_seconds: number;
  remaining: number;
  resets_in_seconds: number;
}

interface Window {
  points: number;
  ends_ms: number;
}

/** A counter with a window for each key, on our clock and with a bound on the number of keys. */
class BoundedLimiter extends RateLimiterStoreAbstract {
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();
  readonly policy: string;
  readonly quota: number;
  readonly window_seconds: number;

  constructor(clock: Clock, policy: string, quota: number, window_seconds: number) {
    super({ storeClient: {}, points: quota, duration: window_seconds, keyPrefix: policy });
    this.#clock = clock;
    this.policy = policy;
    this.quota = quota;
    this.window_seconds = window_seconds;
  }

  /** Called by the library: adds points to the key's window, or begins a new one. */
  async _upsert(key: string, points: number, window_ms: number): Promise<Window> {
    const now = this.#clock.now();
    const found = this.#windows.get(key);
    // A clock that was set back must not keep anybody out for longer than one window.
    if (found && found.ends_ms > now && found.ends_ms <= now + window_ms) {
      found.points += points;
      return found;
    }
    this.#windows.delete(key);
    const window = { points, ends_ms: now + window_ms };
    this.#windows.set(key, window);
    this.#dropOldest(now);
    return window;
  }

  /** Windows begin in the order of the map, so those that ended first stand first. */
  #dropOldest(now: number): void {
    for (const [key, window] of this.#windows) {
      if (window.ends_ms > now && this.#windows.size <= limits.tracked_callers_max) return;
      this.#windows.delete(key);
    }
  }

  /** Called by the library: a window in its own terms. */
  _getRateLimiterRes(_key: string, changed_points: number, window: Window): RateLimiterRes {
    return new RateLimiterRes(
      Math.max(this.quota - window.points, 0),
      Math.max(window.ends_ms - this.#clock.now(), 0),
      window.points,
      window.points === changed_points,
    );
  }

  budget(result: RateLimiterRes): Budget {
    return {
      policy: this.policy,
      quota: this.quota,
      window_seconds: this.window_seconds,
      remaining: result.remainingPoints,
      resets_in_seconds: Math.ceil(result.msBeforeNext / 1000),
    };
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

export type UsageKind = "write" | "open_room";

export interface Usage {
  /** Takes one act of this kind from the caller's limits, or throws `rate_limited`. `name`: who the caller speaks as. */
  spend(caller: Caller, kind: UsageKind, name: string): Promise<void>;
}

export function createUsage(settings: UsageSettings, clock: Clock): Usage {
  const minute = (policy: string, quota: number) => new BoundedLimiter(clock, policy, quota, 60);
  const by_name = minute("writes-by-name", settings.writes_per_minute_by_name);
  const by_address = minute("writes-by-address", settings.writes_per_minute_by_address);
  const rooms = new BoundedLimiter(clock, "rooms-by-address", settings.rooms_per_hour_by_address, 3600);

  async function take(limiter: BoundedLimiter, key: string, caller: Caller): Promise<void> {
    try {
      const budget = limiter.budget(await limiter.consume(key));
      if (!caller.budget || budget.remaining < caller.budget.remaining) caller.budget = budget;
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const budget = (caller.budget = limiter.budget(refusal));
      throw new ServiceError(
        "rate_limited",
        `More than ${budget.quota} in ${budget.window_seconds} seconds (${budget.policy}).`,
        {
          retry_after_seconds: Math.max(budget.resets_in_seconds, 1),
          hint: `Wait ${Math.max(budget.resets_in_seconds, 1)} seconds, then send the same call again.`,
        },
      );
    }
  }

  return {
    async spend(caller, kind, name) {
      if (!settings.rate_limit) return;
      const address = addressKey(caller.address);
      await take(by_address, address, caller);
      // An unclaimed name belongs to nobody: it is counted by address too, so that no stranger can use up another's.
      await take(by_name, `${address}/${sha256Hex(name).slice(0, 16)}`, caller);
      if (kind === "open_room") await take(rooms, address, caller);
    },
  };
}
