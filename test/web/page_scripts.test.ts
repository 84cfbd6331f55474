/** Parts of the scripts of pages that need no browser. */

import { expect, test } from "bun:test";
import { countNew } from "../../views/scripts/new_entries.ts";
import { retryDelay } from "../../views/scripts/stream.ts";
import { depth_max } from "../../views/scripts/thread.ts";
import { relativeTime } from "../../views/scripts/times.ts";
import { room_internal_limits } from "../../src/rooms/limits.ts";

test("tries a lost connection again after 1 s, then after twice as long each time, at most a minute", () => {
  expect([0, 1, 2, 5, 6, 40].map((failures) => retryDelay(failures, 1))).toEqual([
    1_000, 2_000, 4_000, 32_000, 60_000, 60_000,
  ]);
  expect(retryDelay(0, 0)).toBe(500);
});

test.each([
  ["abc", "abc", 0],
  ["abc", "xabc", 1],
  ["abc", "cxayb", 2],
  ["", "xy", 2],
  ["abc", "", 0],
  // One entry has gone, so one of the next page follows.
  ["abc", "abd", 0],
  ["abc", "xabd", 1],
])("counts the new entries of a list that was %p and is %p", (known, fresh, count) => {
  expect(countNew(known.split(""), fresh.split(""))).toBe(count);
});

test("gives times of the last 30 days relative to now", () => {
  const now = Date.parse("2026-03-31T12:00:00Z");
  const at = (ago_s: number) => relativeTime(now - ago_s * 1_000, now);
  expect([0, 59, 60, 3_600, 90_000, 30 * 86_400, 31 * 86_400, -90].map(at)).toEqual([
    "just now",
    "just now",
    "1 minute ago",
    "1 hour ago",
    "1 day ago",
    "30 days ago",
    null,
    "in 1 minute",
  ]);
});

test("nests replies as deep as the service does", () => {
  expect(depth_max).toBe(room_internal_limits.reply_depth_max);
});
