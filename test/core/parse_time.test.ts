/** Times of callers: RFC 3339 in any form is read, and stored in one. */

import { expect, test } from "bun:test";
import { parseTime } from "../../src/core/clock.ts";

test.each([
  ["2026-03-01T12:00:00.000Z", "2026-03-01T12:00:00.000Z"],
  ["2024-02-29T23:59:59.999Z", "2024-02-29T23:59:59.999Z"],
  ["1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z"],
  ["2026-03-01t12:00:00z", "2026-03-01T12:00:00.000Z"],
  ["2026-03-01T12:00:00.1234Z", "2026-03-01T12:00:00.123Z"],
  ["2026-03-01T12:00:00+02:00", "2026-03-01T10:00:00.000Z"],
])("reads %s as %s", (text, stored) => {
  expect(parseTime(text)).toBe(stored);
});

// Most have the length of the stored form.
test.each([
  "2026-02-30T12:00:00.000Z",
  "2025-02-29T12:00:00.000Z",
  "2026-13-01T12:00:00.000Z",
  "1969-12-31T23:59:59.999Z",
  "2026-03-01 12:00:00.000Z",
  "Sun, 01 Mar 2026 12:00 Z",
  "2026-03-01T12:00:00.0000",
  "+010000-01-01T00:00:00.000Z",
  "yesterday",
  "",
])("does not read %p", (text) => {
  expect(parseTime(text)).toBeNull();
});
