/** A wait of an MCP client outlives a service that is killed and is gone for 15 seconds. */

import { afterAll, expect, test } from "bun:test";
import { StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { open, speak } from "../support/rooms.ts";
import { modernClientOver, oldClient, type McpClient, type ToolAnswer } from "../support/mcp_clients.ts";
import { newDirectory, removeDirectory, startBinary } from "../support/service.ts";

const data_dir = newDirectory();
afterAll(() => removeDirectory(data_dir));

const clients: Record<string, (url: string) => Promise<McpClient>> = {
  "SDK 1.x": oldClient,
  "SDK 2.x with a session": (url) => modernClientOver(new ModernTransport(new URL(url)), "legacy"),
};

test("each SDK resumes its wait when the service is back after 15 seconds", async () => {
  const before = await startBinary({ data_dir });
  const { port } = new URL(before.url);
  const room = await open(before.url, "Gone for a while");
  const connected = await Promise.all(Object.values(clients).map((connect) => connect(`${before.url}/mcp`)));
  const waits: Promise<ToolAnswer>[] = connected.map((client) =>
    client.call("meet_read", { room: room.slug, since: 0, wait_seconds: 50 }),
  );
  // The waits are open, and so their streams have begun.
  for (let open_waits = 0; open_waits < waits.length; await Bun.sleep(10)) {
    const present = (await (await fetch(`${room.api}/present`)).json()) as { others: number };
    open_waits = present.others;
  }
  before.process.kill("SIGKILL");
  await before.process.exited;
  // The real time of the outage: the clients count it, too.
  await Bun.sleep(15_000);
  const after = await startBinary({ data_dir, port: Number(port) });
  const said = speak({ ...room, api: room.api.replace(before.url, after.url) }, "Back again.");
  const answers = await Promise.all(waits);
  expect(answers.map(({ structuredContent }) => structuredContent)).toEqual(
    Object.keys(clients).map(() =>
      expect.objectContaining({ posts: [expect.objectContaining({ body: "Back again." })] }),
    ),
  );
  expect((await said).status).toBe(201);
  await Promise.all(connected.map((client) => client.close()));
  await after.stop();
}, 60_000);
