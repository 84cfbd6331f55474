/** The log: equal lines are folded, and its text form is one readable line an event. */

import { describe, expect, test } from "bun:test";
import { createLog, type LogFormat } from "../../src/core/log.ts";
import { FakeClock } from "../support/clock.ts";

function logTo(format: LogFormat) {
  const lines: string[] = [];
  const clock = new FakeClock();
  return { clock, lines, log: createLog(clock, "debug", (line) => void lines.push(line), format) };
}

describe("equal warnings and errors", () => {
  test("are written once within 10 seconds, then as one line with their number and the time of the last", () => {
    const { clock, lines, log } = logTo("json");
    for (let i = 0; i < 1000; i++) {
      log.error("request.failed", { request_id: `a-${i}`, error: "broken" });
      clock.advance(0.005);
    }
    log.error("request.failed", { request_id: "b", error: "otherwise" });
    log.warn("request.failed", { request_id: "c", error: "broken" });
    expect(lines).toHaveLength(3);
    clock.advance(10);
    expect(lines.slice(3).map((line) => JSON.parse(line) as object)).toEqual([
      {
        at: "2026-03-01T12:00:04.995Z",
        level: "error",
        event: "request.failed",
        request_id: "a-999",
        error: "broken",
        repeated: 999,
      },
    ]);
    log.error("request.failed", { request_id: "d", error: "broken" });
    expect(lines).toHaveLength(5);
  });

  test("are written at a stop, and lower levels are not folded", () => {
    const { lines, log } = logTo("json");
    for (let i = 0; i < 3; i++) {
      log.warn("host.refused", { host: "a.example" });
      log.info("request", { status: 200 });
    }
    expect(lines).toHaveLength(4);
    log.close();
    expect(lines.slice(4).map((line) => JSON.parse(line) as object)).toMatchObject([{ repeated: 2 }]);
    log.close();
    expect(lines).toHaveLength(5);
  });

  test("take bounded memory: further ones are written", () => {
    const { lines, log } = logTo("json");
    for (let i = 0; i < 300; i++) log.warn("host.refused", { host: `${i}.example` });
    log.warn("host.refused", { host: "0.example" });
    log.warn("host.refused", { host: "299.example" });
    expect(lines).toHaveLength(301);
  });
});

test("the text form is one line with quoted values, without control characters", () => {
  const { lines, log } = logTo("text");
  log.info("request", {
    method: "GET",
    route: "/api/meet/rooms/{room}",
    bytes: null,
    ms: 1.5,
    name: undefined,
  });
  log.error("request.failed", { error: "a\nb\u001b[31m\u009b\u202e", empty: "" });
  expect(lines).toEqual([
    '2026-03-01T12:00:00.000Z INFO  request method=GET route="/api/meet/rooms/{room}" bytes=null ms=1.5\n',
    '2026-03-01T12:00:00.000Z ERROR request.failed error="a\\nb\\u001b[31m[U+009B][U+202E]" empty=""\n',
  ]);
});
