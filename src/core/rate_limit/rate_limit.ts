/** Limits of use, by address and by name: how often they may call, and how much they may have open. Kept in memory. */

import { call_errors } from "../error_codes.ts";
import type { Clock } from "../clock.ts";
import { ConcurrencyLimit } from "./concurrency_limit.ts";
import { ServiceError, type Budget } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Caller } from "../caller.ts";
import { networksOf, type Networks } from "./caller_networks.ts";
import { sha256Hex } from "../secrets.ts";
import { TokenBuckets } from "./token_buckets.ts";

export interface RateLimitSettings {
  rate_limit: boolean;
  reads_per_minute_by_address: number;
  searches_per_minute_by_address: number;
  writes_per_minute_by_name: number;
  writes_per_minute_by_address: number;
  rooms_per_hour_by_address: number;
  claims_per_hour_by_address: number;
  streams_by_address: number;
  listens_by_address: number;
  open_requests_by_address: number;
  mcp_sessions_by_address: number;
  held_jobs_by_name: number;
}

export type UsageKind = "write" | "open_room" | "claim_name" | "session" | "search";
/** What is open for a while: a request until it is answered, a stream or a wait, a stream of subscriptions/listen. */
export type OpenKind = "request" | "stream" | "listen";

/** A request that was let in. */
export interface Admission {
  /** What is left of its address's requests. */
  left: Budget;
  /** Is to be called once, when the request is answered. */
  answered(): void;
}

/** How many MCP sessions a network keeps: an IPv4 address or IPv6 /64, and an IPv6 /48. */
export interface SessionQuota {
  networks: Networks;
  narrow_max: number;
  wide_max: number;
}

export interface RateLimiter {
  /**
   * Takes one act of this kind from the caller's limits, or throws `rate_limited` and takes nothing. `name` is who the
   * caller speaks as; null for a caller that gives no name, which is counted by its address alone.
   */
  take(caller: Caller, kind: UsageKind, name: string | null): void;
  /**
   * Takes one request from the limits of an address and counts it as open until `answered`. Null where nothing is counted.
   * Throws `rate_limited`, `too_many_open`.
   */
  admit(address: string): Admission | null;
  /** Counts something that an address has open until the result is called, once. Throws `too_many_open`. */
  open(address: string, kind: OpenKind): () => void;
  /** Counts a refused request. Returns whether its address has had so many that their answers are to be delayed. */
  isPersistent(address: string): boolean;
  /** How many MCP sessions are kept for an address; null where they are not counted. */
  sessions(address: string): SessionQuota | null;
}

/** One bucket of a limit, and the one in it that a call is taken from. */
type Claim = [buckets: TokenBuckets, key: string];

/** Token buckets by address: for IPv6 two, of the /64 and, with a larger quota, of the /48. */
function byAddress(policy: string, quota: number, window_seconds: number) {
  const { tracked_callers_max, ipv6_48_quota_factor } = limits;
  const narrow = new TokenBuckets(`${policy}-by-address`, quota, window_seconds, tracked_callers_max);
  const wide_quota = quota * ipv6_48_quota_factor;
  const wide = new TokenBuckets(`${policy}-by-network`, wide_quota, window_seconds, tracked_callers_max);
  return {
    claims: (networks: Networks): Claim[] =>
      networks.wide === null
        ? [[narrow, networks.narrow]]
        : [
            [narrow, networks.narrow],
            [wide, networks.wide],
          ],
  };
}

/** Limits on what an address has open: as for the buckets. */
function openByAddress(policy: string, quota: number, what: string, hint: string) {
  const narrow = new ConcurrencyLimit(`${policy}-by-address`, quota);
  const wide = new ConcurrencyLimit(`${policy}-by-network`, quota * limits.ipv6_48_quota_factor);
  return (networks: Networks): (() => void) => {
    const counted: [ConcurrencyLimit, string][] = [[narrow, networks.narrow]];
    if (networks.wide !== null) counted.push([wide, networks.wide]);
    for (const [limit, key] of counted)
      if (!limit.hasRoom(key)) throw tooManyOpen(limit.left(key), what, hint);
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

/** Takes a token from each bucket, or throws `rate_limited` and takes none. Answers with the one that has the least left. */
function takeAll(claims: readonly Claim[], now_ms: number): Budget {
  for (const [buckets, key] of claims) {
    const wait_ms = buckets.wait(key, now_ms);
    if (wait_ms > 0) throw rateLimited(wait_ms, buckets.left(key, now_ms));
  }
  let tightest: Budget | undefined;
  for (const [buckets, key] of claims) {
    buckets.take(key, now_ms);
    const left = buckets.left(key, now_ms);
    if (!tightest || left.remaining < tightest.remaining) tightest = left;
  }
  return tightest!;
}

const nothing = () => {};

export function createRateLimiter(settings: RateLimitSettings, clock: Clock): RateLimiter {
  const requests = byAddress("reads", settings.reads_per_minute_by_address, 60);
  const searches = byAddress("searches", settings.searches_per_minute_by_address, 60);
  const writes = byAddress("writes", settings.writes_per_minute_by_address, 60);
  const rooms = byAddress("rooms", settings.rooms_per_hour_by_address, 3600);
  const claims = byAddress("claims", settings.claims_per_hour_by_address, 3600);
  const refusals = byAddress("refusals", limits.prompt_refusals_per_minute, 60);
  const by_name = new TokenBuckets(
    "writes-by-name",
    settings.writes_per_minute_by_name,
    60,
    limits.tracked_callers_max,
  );
  const open = {
    request: openByAddress(
      "open-requests",
      settings.open_requests_by_address,
      "requests",
      "Wait for their answers first.",
    ),
    stream: openByAddress(
      "streams",
      settings.streams_by_address,
      "streams and waits",
      "Close a stream or let a wait end first. Without wait_seconds the same call is answered at once.",
    ),
    listen: openByAddress(
      "listens",
      settings.listens_by_address,
      "streams of subscriptions",
      "Close one first. One stream can follow several resources; a tool with wait_seconds waits without one.",
    ),
  };

  /** The bucket of the name that a write is made under; none where it is made under none. */
  function ofName(caller: Caller, networks: Networks, name: string | null): Claim[] {
    if (caller.identity) return [[by_name, caller.identity.canonical]];
    // An unclaimed name belongs to nobody: it is counted by address too, so that no stranger can use up another's.
    return name === null ? [] : [[by_name, `${networks.narrow}/${sha256Hex(name).slice(0, 16)}`]];
  }

  function claimsOf(caller: Caller, kind: UsageKind, name: string | null): Claim[] {
    const networks = networksOf(caller.address);
    if (kind === "search") return searches.claims(networks);
    return [
      ...(kind === "open_room" ? rooms.claims(networks) : []),
      ...(kind === "claim_name" ? claims.claims(networks) : []),
      ...writes.claims(networks),
      // What an MCP client keeps here is nobody's act.
      ...(kind === "session" ? [] : ofName(caller, networks, name)),
    ];
  }

  return {
    take(caller, kind, name) {
      if (!settings.rate_limit) return;
      const left = takeAll(claimsOf(caller, kind, name), clock.monotonic());
      if (!caller.budget || left.remaining < caller.budget.remaining) caller.budget = left;
    },
    admit(address) {
      if (!settings.rate_limit) return null;
      const networks = networksOf(address);
      const left = takeAll(requests.claims(networks), clock.monotonic());
      return { left, answered: open.request(networks) };
    },
    isPersistent(address) {
      if (!settings.rate_limit) return false;
      const claims = refusals.claims(networksOf(address));
      const now_ms = clock.monotonic();
      if (claims.some(([buckets, key]) => buckets.wait(key, now_ms) > 0)) return true;
      for (const [buckets, key] of claims) buckets.take(key, now_ms);
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
