/** A wait of an MCP client outlives a service that is killed, and is still gone when the client first tries to resume. */

import { afterAll, expect, test } from "bun:test";
import { StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { open, speak } from "../support/rooms.ts";
import { modernClientOver, oldClientOver, type McpClient, type ToolAnswer } from "../support/mcp_clients.ts";
import { newDirectory, removeDirectory, startBinary } from "../support/service.ts";

const data_dir = newDirectory();
afterAll(() => removeDirectory(data_dir));

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const clients: Record<string, (url: URL, fetch: Fetch) => Promise<McpClient>> = {
  "SDK 1.x": (url, fetch) => oldClientOver(new OldTransport(url, { fetch })),
  "SDK 2.x with a session": (url, fetch) => modernClientOver(new ModernTransport(url, { fetch }), "legacy"),
};
/** Of the service (src/mcp/sessions/session.ts): how long a client waits before each of its two tries. */
const retry_ms = 8_000;

/** The connection of a client that resumes one stream by its last event, that of its wait. */
function watchedConnection() {
  const failed = Promise.withResolvers<void>();
  const is_back = Promise.withResolvers<void>();
  let tries = 0;
  const call: Fetch = async (url, init) => {
    if (!new Headers(init?.headers).has("last-event-id")) return fetch(url, init);
    tries += 1;
    // A client tries no third time, and a busy machine may need longer than its pause for the start of a service.
    if (tries > 1) await is_back.promise;
    return fetch(url, init).catch((error: unknown) => {
      failed.resolve();
      throw error;
    });
  };
  return { fetch: call, failed: failed.promise, serves: is_back.resolve, tries: () => tries };
}

test("each SDK resumes its wait when the service is back after the first try to resume has failed", async () => {
  const before = await startBinary({ data_dir });
  const { port } = new URL(before.url);
  const room = await open(before.url, "Gone for a while");
  const connections = Object.values(clients).map((connect) => ({ connect, ...watchedConnection() }));
  const url = new URL(`${before.url}/mcp`);
  const connected = await Promise.all(connections.map(({ connect, fetch }) => connect(url, fetch)));
  const waits: Promise<ToolAnswer>[] = connected.map((client) =>
    client.call("meet_read", { room: room.slug, since: 0, wait_seconds: 50 }),
  );
  // The waits are open, and so their streams have begun.
  for (let open_waits = 0; open_waits < waits.length; await Bun.sleep(10)) {
    const present = (await (await fetch(`${room.api}/present`)).json()) as { others: number };
    open_waits = present.others;
  }
  const killed_ms = performance.now();
  before.process.kill("SIGKILL");
  await before.process.exited;
  // The real time of the outage: the clients count it, too.
  await Promise.all(connections.map(({ failed }) => failed));
  expect(performance.now() - killed_ms).toBeGreaterThan(retry_ms - 100);
  const after = await startBinary({ data_dir, port: Number(port) });
  for (const { serves } of connections) serves();
  const said = speak({ ...room, api: room.api.replace(before.url, after.url) }, "Back again.");
  const answers = await Promise.all(waits);
  expect(answers.map(({ structuredContent }) => structuredContent)).toEqual(
    Object.keys(clients).map(() =>
      expect.objectContaining({ posts: [expect.objectContaining({ body: "Back again." })] }),
    ),
  );
  expect(connections.map(({ tries }) => tries())).toEqual([2, 2]);
  expect((await said).status).toBe(201);
  await Promise.all(connected.map((client) => client.close()));
  await after.stop();
}, 120_000);
