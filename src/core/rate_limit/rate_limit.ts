/**
 * Rate limits by address and by name: how often they may call, and how much they may have open. Held in memory; nodes of one
 * database exchange how often (shared_use.ts).
 */

import { call_errors } from "../general_errors.ts";
import type { Clock } from "../clock.ts";
import { ConcurrencyLimit } from "./concurrency_limit.ts";
import { ServiceError, type Budget } from "../errors.ts";
import { no_meter, type Counter, type Meter } from "../meter.ts";
import { limits } from "../limits.ts";
import type { Caller } from "../caller.ts";
import type { Config } from "../settings.ts";
import { networksOf, type Networks } from "./caller_networks.ts";
import { sha256Hex } from "../secrets.ts";
import { SharedBuckets } from "./shared_buckets.ts";
import type { SharedUse } from "./shared_use.ts";
import { TurnsByKey } from "../turns.ts";
import { TokenBuckets } from "./token_buckets.ts";

/** The settings of limits: each has its network or name in its own name. */
export type RateLimitSettings = Pick<
  Config,
  "rate_limit" | Extract<keyof Config, `${string}_by_${"address" | "name"}`>
>;

export type UsageKind =
  | "write"
  | "open_room"
  | "claim_name"
  | "session"
  | "search"
  | "report"
  | "register_client"
  | "check_webhook";
/** Kinds of open calls: a request until it is answered, a stream or a wait, a stream of subscriptions/listen. */
export type OpenKind = "request" | "stream" | "listen";

/** An admitted request. */
export interface Admission {
  /** The remaining requests of its address. */
  left: Budget;
  /** Await it before the request is answered; undefined if its turn has come. Networks take turns. */
  turn: Promise<void> | undefined;
  /** Call it when the request is answered. */
  answered(): void;
  /** Counts bytes of the answer as they are sent: every `limits.bytes_per_read` of them as a further request. */
  sent(bytes: number): void;
}

/** The most MCP sessions of a network: an IPv4 address or IPv6 /64, and an IPv6 /48. */
export interface SessionQuota {
  networks: Networks;
  narrow_max: number;
  wide_max: number;
}

export interface RateLimiter {
  /**
   * Counts a call of this kind against the caller's limits, or throws `rate_limited` and counts nothing. `name`: the name
   * that the caller uses; null counts by address alone.
   */
  take(caller: Caller, kind: UsageKind, name: string | null): void;
  /**
   * Counts a request of an address, which is open until `answered` is called. Null if rate limits are switched off. Throws
   * `rate_limited` or `too_many_open`.
   */
  admit(address: string): Admission | null;
  /** Counts something as open until the returned function is called. Throws `too_many_open`. */
  open(address: string, kind: OpenKind): () => void;
  /** Counts a refused request. Returns whether its address had so many that their responses should be delayed. */
  isPersistent(address: string): boolean;
  /** The most MCP sessions of an address; null if rate limits are switched off. */
  sessions(address: string): SessionQuota | null;
}

/** The limits that apply to a call, each with the key that it counts the caller by. */
type Applied<Limit> = [limit: Limit, key: string][];

/** Limits by address: one for IPv4, two for IPv6, which also has a larger quota for the /48. */
function byAddress<Limit>(policy: string, quota: number, create: (policy: string, quota: number) => Limit) {
  const narrow = create(`${policy}-by-address`, quota);
  const wide = create(`${policy}-by-network`, quota * limits.ipv6_48_quota_factor);
  return (networks: Networks): Applied<Limit> => {
    const applied: Applied<Limit> = [[narrow, networks.narrow]];
    if (networks.wide !== null) applied.push([wide, networks.wide]);
    return applied;
  };
}

function openByAddress(policy: string, quota: number, reached: Counter, what: string, hint: string) {
  const applied = byAddress(policy, quota, (policy, quota) => new ConcurrencyLimit(policy, quota));
  return (networks: Networks): (() => void) => {
    const counted = applied(networks);
    for (const [limit, key] of counted) {
      if (limit.hasRoom(key)) continue;
      const left = limit.left(key);
      reached.count(left.policy);
      throw tooManyOpen(left, what, hint);
    }
    for (const [limit, key] of counted) limit.add(key);
    let is_open = true;
    return () => {
      if (!is_open) return;
      is_open = false;
      for (const [limit, key] of counted) limit.remove(key);
    };
  };
}

const tooManyOpen = (budget: Budget, what: string, hint: string): ServiceError =>
  new ServiceError(
    call_errors.too_many_open,
    `Your address has ${budget.quota} ${what} open (${budget.policy}).`,
    {
      retry_after_seconds: limits.open_retry_after_seconds,
      budget,
      hint,
    },
  );

function rateLimited(wait_ms: number, budget: Budget): ServiceError {
  const retry_after_seconds = Math.ceil(wait_ms / 1000);
  const detail = `More than ${budget.quota} in ${budget.window_seconds} seconds (${budget.policy}).`;
  return new ServiceError(call_errors.rate_limited, detail, {
    retry_after_seconds,
    budget,
    hint: `Wait ${retry_after_seconds} seconds, then send the same call again.`,
  });
}

/** Takes a token from each bucket, or throws `rate_limited` and takes none. Returns the budget that has the least left. */
function takeAll(applied: Applied<TokenBuckets>, now_ms: number, reached: Counter): Budget {
  for (const [buckets, key] of applied) {
    const wait_ms = buckets.wait(key, now_ms);
    if (wait_ms === 0) continue;
    const left = buckets.left(key, now_ms);
    reached.count(left.policy);
    throw rateLimited(wait_ms, left);
  }
  let tightest: Budget | undefined;
  for (const [buckets, key] of applied) {
    buckets.take(key, now_ms);
    const left = buckets.left(key, now_ms);
    if (!tightest || left.remaining < tightest.remaining) tightest = left;
  }
  return tightest!;
}

const nothing = () => {};

/** `shared`: what this node exchanges with others; absent if there can be no other. */
export function createRateLimiter(
  settings: RateLimitSettings,
  clock: Clock,
  meter: Meter = no_meter,
  shared?: SharedUse,
): RateLimiter {
  function bucketsOf(policy: string, quota: number, window_seconds: number): TokenBuckets {
    if (!shared) return new TokenBuckets(policy, quota, window_seconds, limits.tracked_callers_max);
    const buckets = new SharedBuckets(policy, quota, window_seconds, limits.tracked_callers_max, shared.hash);
    shared.add(buckets);
    return buckets;
  }
  const callsByAddress = (policy: string, quota: number, window_seconds: number) =>
    byAddress(policy, quota, (policy, quota) => bucketsOf(policy, quota, window_seconds));
  const reached = meter.counter({
    name: "wharf_limits_reached_total",
    help: "Calls that were refused because their address or name had used up a limit.",
    labels: ["limit"],
  });
  const requests = callsByAddress("reads", settings.reads_per_minute_by_address, 60);
  const searches = callsByAddress("searches", settings.searches_per_minute_by_address, 60);
  const writes = callsByAddress("writes", settings.writes_per_minute_by_address, 60);
  const rooms = callsByAddress("rooms", settings.rooms_per_hour_by_address, 3600);
  const claims = callsByAddress("claims", settings.claims_per_hour_by_address, 3600);
  const registrations = callsByAddress("registrations", settings.registrations_per_hour_by_address, 3600);
  const webhook_checks = callsByAddress("webhook-checks", settings.webhook_checks_per_hour_by_address, 3600);
  const reports = callsByAddress("reports", settings.reports_per_hour_by_address, 3600);
  const refusals = callsByAddress("refusals", limits.prompt_refusals_per_minute, 60);
  const turns = new TurnsByKey(clock, limits.requests_per_turn);
  const by_name = bucketsOf("writes-by-name", settings.writes_per_minute_by_name, 60);
  const open = {
    request: openByAddress(
      "open-requests",
      settings.open_requests_by_address,
      reached,
      "requests",
      "Wait for their answers first.",
    ),
    stream: openByAddress(
      "streams",
      settings.streams_by_address,
      reached,
      "streams and waits",
      "Close a stream or let a wait end first. Without wait_seconds the same call is answered at once.",
    ),
    listen: openByAddress(
      "listens",
      settings.listens_by_address,
      reached,
      "streams of subscriptions",
      "Close one first. One stream can follow several resources; a tool with wait_seconds waits without one.",
    ),
  };

  /** The bucket of the name of a write, if it has one. */
  function ofName(caller: Caller, networks: Networks, name: string | null): Applied<TokenBuckets> {
    if (caller.identity) return [[by_name, caller.identity.canonical]];
    // Counted for each address: an unclaimed name belongs to nobody, and no caller should use up the limit of another.
    return name === null ? [] : [[by_name, `${networks.narrow}/${sha256Hex(name).slice(0, 16)}`]];
  }

  function limitsOf(caller: Caller, kind: UsageKind, name: string | null): Applied<TokenBuckets> {
    const networks = networksOf(caller.address);
    if (kind === "search") return searches(networks);
    if (kind === "register_client") return registrations(networks);
    if (kind === "report") return reports(networks);
    if (kind === "check_webhook") return webhook_checks(networks);
    return [
      ...(kind === "open_room" ? rooms(networks) : []),
      ...(kind === "claim_name" ? claims(networks) : []),
      ...writes(networks),
      // A session has no name.
      ...(kind === "session" ? [] : ofName(caller, networks, name)),
    ];
  }

  return {
    take(caller, kind, name) {
      if (!settings.rate_limit) return;
      const left = takeAll(limitsOf(caller, kind, name), clock.monotonic(), reached);
      if (!caller.budget || left.remaining < caller.budget.remaining) caller.budget = left;
    },
    admit(address) {
      if (!settings.rate_limit) return null;
      const networks = networksOf(address);
      const left = takeAll(requests(networks), clock.monotonic(), reached);
      let uncounted_bytes = 0;
      return {
        left,
        answered: open.request(networks),
        turn: turns.next(networks.narrow),
        sent(bytes) {
          uncounted_bytes += bytes;
          const reads = Math.floor(uncounted_bytes / limits.bytes_per_read);
          if (reads === 0) return;
          uncounted_bytes -= reads * limits.bytes_per_read;
          for (const [buckets, key] of requests(networks)) buckets.take(key, clock.monotonic(), reads);
        },
      };
    },
    isPersistent(address) {
      if (!settings.rate_limit) return false;
      const applied = refusals(networksOf(address));
      const now_ms = clock.monotonic();
      if (applied.some(([buckets, key]) => buckets.wait(key, now_ms) > 0)) return true;
      for (const [buckets, key] of applied) buckets.take(key, now_ms);
      return false;
    },
    open: (address, kind) => (settings.rate_limit ? open[kind](networksOf(address)) : nothing),
    sessions(address) {
      if (!settings.rate_limit) return null;
      const narrow_max = settings.mcp_sessions_by_address;
      return {
        networks: networksOf(address),
        narrow_max,
        wide_max: narrow_max * limits.ipv6_48_quota_factor,
      };
    },
  };
}
