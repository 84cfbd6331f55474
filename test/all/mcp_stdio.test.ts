/** `wharf mcp` with MCP clients that others wrote. The service is killed and started again while their calls are under way. */

import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { binary } from "../support/binary.ts";
import { command } from "../support/command.ts";
import { freePort } from "../support/free_port.ts";
import { get } from "../support/http.ts";
import { modernClientOver, oldClientOver, type McpClient, type ToolAnswer } from "../support/mcp_clients.ts";
import { Notifications } from "../support/notifications.ts";
import { install_timeout_ms, linesOf, python_versions, pythonWith } from "../support/python.ts";
import { open, speak, uriOf, type Opened } from "../support/rooms.ts";
import { newDirectory, removeDirectory, startBinary } from "../support/service.ts";
import { toolsOf } from "../support/tools.ts";

const home = newDirectory();
const data_dir = newDirectory();
let service: Awaited<ReturnType<typeof startBinary>>;
/** A room where somebody waits, and one for calls meanwhile. */
let room: Opened;
let beside: Opened;
/** How many tools the service has. */
let tools: number;
beforeAll(async () => {
  service = await startBinary({ data_dir, port: await freePort() });
  tools = (await toolsOf(service.url)).length;
});
beforeEach(async () => {
  room = await open(service.url, "A room for clients over stdio");
  beside = await open(service.url, "Another one");
});
afterAll(async () => {
  await service.stop();
  for (const directory of [home, data_dir]) removeDirectory(directory);
});

async function kill(): Promise<void> {
  service.process.kill("SIGKILL");
  await service.process.exited;
}

async function restart(): Promise<void> {
  service = await startBinary({ data_dir, port: Number(new URL(service.url).port) });
}

const bodiesIn = async ({ api }: Opened): Promise<string[]> =>
  (await get<{ posts: { body: string }[] }>(`${api}?since=0&limit=200`)).body.posts.map(({ body }) => body);

/** A post that is too long for the id of an event, which could otherwise resume its call after a restart. */
const long = `Who is there? ${"é".repeat(3_900)}`;

/** Resolves when the room has this post. */
async function hasPost(body: string): Promise<void> {
  while (!(await bodiesIn(room)).includes(body)) await Bun.sleep(20);
}

const program = () => ({
  command: binary(),
  args: ["mcp", "--url", service.url],
  env: { PATH: process.env.PATH!, HOME: home },
  // The bridge notes there that the service is away.
  stderr: "ignore" as const,
});

/** A client, how it follows a resource, and the URIs of the notifications that it gets. */
interface Connected extends McpClient {
  follow(uri: string): Promise<unknown>;
  received: Notifications;
}

async function connectOld(): Promise<Connected> {
  const connected = await oldClientOver(new OldTransport(program()));
  const received = new Notifications();
  connected.client.setNotificationHandler(ResourceUpdatedNotificationSchema, received.add);
  return { ...connected, follow: (uri) => connected.client.subscribeResource({ uri }), received };
}

const connectModern = (mode: "legacy" | "auto") => async (): Promise<Connected> => {
  const connected = await modernClientOver(new ModernTransport(program()), mode);
  const { client, version } = connected;
  expect(version).toBe(mode === "auto" ? "2026-07-28" : "2025-11-25");
  const received = new Notifications();
  client.setNotificationHandler("notifications/resources/updated", received.add);
  const follow = (uri: string) =>
    mode === "auto" ? client.listen({ resourceSubscriptions: [uri] }) : client.subscribeResource({ uri });
  return { ...connected, follow, received };
};

const resultOf = (answer: ToolAnswer): Record<string, unknown> => {
  expect(answer.isError ?? false, answer.content[0]?.text).toBe(false);
  return answer.structuredContent!;
};

describe.each([
  ["TypeScript, SDK 1.x", connectOld],
  ["TypeScript, SDK 2.x with a handshake", connectModern("legacy")],
  ["TypeScript, SDK 2.x without", connectModern("auto")],
])("%s", (_kind, connect) => {
  test("does not notice that the service is killed and started again: each call is answered, and done once", async () => {
    const client = await connect();
    expect(await client.tools()).toHaveLength(tools);
    await client.follow(uriOf(room));
    const says = ({ slug }: Opened, body: string, more = {}) =>
      client.call("meet_speak", { room: slug, name: "Ada", body, ...more });
    const waiting = says(room, long, { wait_seconds: 50 });
    await hasPost(long);
    await client.received.next();
    const quick = Array.from({ length: 20 }, (_, i) => says(beside, `Quick ${i}.`));
    await Promise.race(quick);
    await kill();
    const meanwhile = says(beside, "While it is away.");
    await restart();
    await speak(room, "I am.");

    for (const answer of await Promise.all([...quick, meanwhile])) resultOf(answer);
    expect(resultOf(await waiting)).toMatchObject({ replies: [{ body: "I am." }] });
    await client.received.next();
    expect(await bodiesIn(room)).toEqual([long, "I am."]);
    const expected = ["While it is away.", ...Array.from({ length: 20 }, (_, i) => `Quick ${i}.`)];
    expect((await bodiesIn(beside)).toSorted()).toEqual(expected.toSorted());
    expect(resultOf(await client.call("meet_read", { room: room.slug }))).toHaveProperty("posts");
    await client.close();
  });
});

describe.each(python_versions)("Python, mcp %s", (version) => {
  let python: string;
  beforeAll(() => {
    python = pythonWith(version);
  }, install_timeout_ms);

  test("does not notice that the service is killed and started again: each call is answered, and done once", async () => {
    const script = join(import.meta.dir, "python/stdio.py");
    const client = Bun.spawn(
      [python, script, room.slug, beside.slug, binary(), "mcp", "--url", service.url],
      {
        env: { PATH: process.env.PATH, HOME: home },
        stdin: "pipe",
        stdout: "pipe",
        stderr: "ignore",
      },
    );
    const lines = linesOf(client.stdout);
    const next = async () => JSON.parse((await lines.next()).value as string) as unknown;
    expect(await next()).toEqual({ tools });
    await hasPost("Who is there?");
    await kill();
    void client.stdin.write("away\n");
    void client.stdin.flush();
    expect(await next()).toEqual({ sent: "While it is away." });
    await restart();
    await speak(room, "I am.");
    expect(await next()).toMatchObject({ waited: expect.stringContaining("I am.") });
    expect(await next()).toMatchObject({ spoken: false });
    expect(await next()).toMatchObject({ updated: uriOf(room) });
    expect(await client.exited).toBe(0);
    expect(await bodiesIn(room)).toEqual(["Who is there?", "I am."]);
    expect(await bodiesIn(beside)).toEqual(["While it is away."]);
  });
});

describe.each(["legacy", "modern"])("the MCP Inspector in the %s era", (era) => {
  const inspect = async (method: string, ...options: string[]) => {
    const script = "@modelcontextprotocol/inspector/clients/launcher/build/index.js";
    const said = ["--method", method, "--protocol-era", era, "--format", "json", ...options];
    const server = [binary(), "mcp", "--url", service.url];
    const { stdout, stderr, code } = await command(script, ["--cli", ...said, "--", ...server], home);
    const { result } = JSON.parse(stdout || "{}") as { result?: Record<string, unknown> };
    return { code, stderr, result };
  };

  test("lists the tools, and gets the answer to a call although the service is killed and started again", async () => {
    const listed = await inspect("tools/list", "--strict");
    expect([listed.code, listed.stderr]).toEqual([0, ""]);
    expect(listed.result!.tools).toHaveLength(tools);
    const words = [`room=${room.slug}`, "name=Ada", "body=Who is there?", "wait_seconds=50"];
    const args = words.flatMap((word) => ["--tool-arg", word]);
    const waiting = inspect("tools/call", "--tool-name", "meet_speak", ...args);
    await hasPost("Who is there?");
    await kill();
    await restart();
    await speak(room, "I am.");
    const { code, result } = await waiting;
    expect(code).toBe(0);
    expect(result).toMatchObject({ structuredContent: { replies: [{ body: "I am." }] } });
    expect(await bodiesIn(room)).toEqual(["Who is there?", "I am."]);
  });
});
