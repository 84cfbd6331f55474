/** Token buckets: exact, bounded in number, and not resettable by a flood of other addresses. */

import { expect, test } from "bun:test";
import { call_errors } from "../../src/core/general_errors.ts";
import { isFailure } from "../../src/core/errors.ts";
import { limits } from "../../src/core/limits.ts";
import { anonymous } from "../../src/names/authentication.ts";
import { default_config } from "../../src/core/settings.ts";
import { TokenBuckets } from "../../src/core/rate_limit/token_buckets.ts";
import { createRateLimiter } from "../../src/core/rate_limit/rate_limit.ts";
import { FakeClock } from "../support/clock.ts";

const address = (n: number): string => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;

test("does not renew the budget of an address when others fill the table", () => {
  const limiter = createRateLimiter(default_config, new FakeClock());
  /** Whether a write from this address is allowed. */
  function writes(from: string): boolean {
    try {
      limiter.take(
        anonymous(() => from),
        "write",
        null,
      );
      return true;
    } catch (error) {
      if (isFailure(error, call_errors.rate_limited)) return false;
      throw error;
    }
  }
  for (let n = 0; n < default_config.writes_per_minute_by_address; n++)
    expect(writes("192.0.2.1")).toBe(true);
  expect(writes("192.0.2.1")).toBe(false);
  for (let n = 0; n < 2 * limits.tracked_callers_max; n++) writes(address(n));
  expect(writes("192.0.2.1")).toBe(false);
});

test("bounds the number of buckets, and drops full ones first, then those with the smallest debts", () => {
  const buckets_max = 4_000;
  const buckets = new TokenBuckets("test", 100, 100, buckets_max);
  const takeMany = (key: string, count: number, now_ms: number) => {
    for (let n = 0; n < count; n++) buckets.take(key, now_ms);
  };
  for (let n = 0; n < 1_500; n++) takeMany(`short ${n}`, 1, 0);
  // A second later those of one token are full again.
  for (let n = 0; n < 500; n++) takeMany(`heavy ${n}`, 90, 1_000);
  for (let n = 0; n < 20_000; n++) takeMany(`light ${n}`, 2, 1_000);
  expect(buckets.size).toBeLessThanOrEqual(buckets_max);
  for (let n = 0; n < 500; n++) expect(buckets.left(`heavy ${n}`, 1_000).remaining).toBe(10);
  expect(buckets.left("light 0", 1_000).remaining).toBe(100);
  expect(buckets.left("light 19999", 1_000).remaining).toBe(98);
});

test.each([1, 3, 7, 60, 240, 999, 3_000])(
  "accepts exactly as many calls at once as a quota of %d allows",
  (quota) => {
    const buckets = new TokenBuckets("test", quota, 60, 10);
    // A time with a fraction, as the monotonic clock gives it.
    const now_ms = 123_456_789.123_4;
    let taken = 0;
    for (; buckets.wait("key", now_ms) === 0; taken++) {
      buckets.take("key", now_ms);
      expect(buckets.left("key", now_ms).remaining).toBe(quota - taken - 1);
    }
    expect(taken).toBe(quota);
    expect(buckets.wait("key", now_ms)).toBeCloseTo(60_000 / quota, 0);
    expect(buckets.wait("key", now_ms + 60_000 / quota)).toBe(0);
  },
);
