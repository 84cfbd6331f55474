/** The stream of notifications to a client that reads slowly, or not at all. */

import { expect, test } from "bun:test";
import { UpdateStream } from "../../src/mcp/subscriptions/stream.ts";

test("offers a reader that is behind nothing more", async () => {
  const stream = new UpdateStream("begin;");
  for (let n = 0; n < 1_000; n++) stream.offer(`${n};`);
  const reader = stream.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const read = async () => new TextDecoder().decode((await reader.read()).value);
  expect(await read()).toBe("begin;");
  const next = read();
  stream.offer("now;");
  stream.offer("again;");
  expect(await next).toBe("now;");
  const last = read();
  stream.end("end");
  expect(await last).toBe("end");
});
