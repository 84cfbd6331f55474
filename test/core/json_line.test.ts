/** JSON in one line, for any reader's set of line ends. */

import { expect, test } from "bun:test";
import { createLog } from "../../src/core/log.ts";
import { jsonLine } from "../../src/core/text.ts";
import { FakeClock } from "../support/clock.ts";

// Every character that Python's str.splitlines splits at.
const text = "a\n\r\u000b\u000c\u001c\u001d\u001e\u0085\u2028\u2029z \\u2028";
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const line_ends = /[\n\r\u000b\u000c\u001c-\u001e\u0085\u2028\u2029]/;

test("holds no character that ends a line, in keys and values, and reads back as the same value", () => {
  const value = { [text]: [text, { deep: text }], plain: 1 };
  const line = jsonLine(value);
  expect(line).not.toMatch(line_ends);
  expect(JSON.parse(line)).toEqual(value);
});

test("leaves other JSON as it is", () => {
  const value = { body: "Où 😀 \u2027\u202a\u0084", none: null };
  expect(jsonLine(value)).toBe(JSON.stringify(value));
});

test("an event is one line of the log, whatever its values hold", () => {
  let written = "";
  createLog(new FakeClock(), "info", (line) => void (written += line)).info("said", { text });
  expect(written.slice(0, -1)).not.toMatch(line_ends);
  expect(JSON.parse(written)).toMatchObject({ event: "said", text });
});
