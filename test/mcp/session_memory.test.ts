/** What sessions hold in memory: nothing of a stream that their clients have left, nor of calls that they have cancelled. */

import { heapStats } from "bun:jsc";
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { post } from "../support/http.ts";
import { beginSession, message } from "../support/mcp_messages.ts";
import { open } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";

const sessions = 100;

let service: SourceService;
beforeAll(async () => {
  service = await startSource({ rate_limit: false });
});
afterAll(() => service.stop());

/** How many streams there are in this process, which is also that of the service. */
function streams(): number {
  Bun.gc(true);
  return heapStats().objectTypeCounts.ReadableStream ?? 0;
}

/** Opens the stream of a session, and leaves it when it has begun. */
async function listenAndLeave(): Promise<void> {
  const url = `${service.url}/mcp`;
  const session = await beginSession(url);
  const left = new AbortController();
  const { body } = await fetch(url, {
    headers: { ...session, accept: "text/event-stream" },
    signal: left.signal,
  });
  await body!.getReader().read();
  left.abort();
}

test("a session whose client left its stream holds no stream", async () => {
  await listenAndLeave();
  const before = streams();
  for (let i = 0; i < sessions; i++) await listenAndLeave();
  for (let looks = 0; streams() > before + sessions / 2 && looks < 100; looks++) await Bun.sleep(50);
  expect(streams() - before).toBeLessThan(sessions / 2);
});

test("a session holds no call that its client has left and cancelled", async () => {
  const url = `${service.url}/mcp`;
  const handling = spyOn(WebStandardStreamableHTTPServerTransport.prototype, "handleRequest");
  const { slug: room } = await open(service.url, "Cancelled");
  const session = await beginSession(url);
  const idle = service.clock.timers;
  for (let id = 0; id < 3; id++) {
    const left = new AbortController();
    const wait = { name: "meet_read", arguments: { room, wait_seconds: 50 } };
    const { body } = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...session,
      },
      body: JSON.stringify(message("tools/call", wait, id)),
      signal: left.signal,
    });
    await body!.getReader().read();
    left.abort();
    const cancelled = { method: "notifications/cancelled", params: { requestId: id } };
    await post(url, { jsonrpc: "2.0", ...cancelled }, session);
    while (service.clock.timers !== idle) await service.clock.turn();
  }
  const transport = handling.mock.contexts.at(-1)!;
  handling.mockRestore();
  // The SDK keeps streams, requests and answers in maps.
  const maps = Object.values(transport).filter((member) => member instanceof Map);
  expect(maps.length).toBeGreaterThan(0);
  expect(maps.flatMap((map) => [...map.keys()])).toEqual([]);
});
