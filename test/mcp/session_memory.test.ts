/** What sessions hold in memory: nothing of a stream that their clients have left. */

import { heapStats } from "bun:jsc";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { beginSession } from "../support/mcp_messages.ts";
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
