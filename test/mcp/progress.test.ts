/** Progress of tools that wait: a client that asks for it may wait for 280 seconds, without a session and in one. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { freePort } from "../support/free_port.ts";
import { claim, type Holder } from "../support/names.ts";
import { beginSession, message, modern, type Rpc } from "../support/mcp_messages.ts";
import { modernClient, oldClient } from "../support/mcp_clients.ts";
import { lacks_binary } from "../support/binary.ts";
import { post } from "../support/http.ts";
import { open, speak, type Opened } from "../support/rooms.ts";
import {
  newDirectory,
  removeDirectory,
  startBinary,
  startSource,
  type SourceService,
} from "../support/service.ts";
import { callTool } from "../support/tools.ts";

interface Progress {
  method: string;
  params: { progressToken: unknown; progress: number };
}
type Message = Partial<
  Rpc<{ content: { text: string }[]; structuredContent: Record<string, unknown>; isError?: true }>
> &
  Partial<Progress>;

let service: SourceService;
let mcp: string;
let room: Opened;
let ada: Holder;
beforeAll(async () => {
  service = await startSource();
  mcp = `${service.url}/mcp`;
  room = await open(service.url, "Progress");
  ada = await claim(service.url, "ada-progress");
});
afterAll(() => service.stop());

const both = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const tool = (name: string, args: object, progressToken?: string | number) => ({
  name,
  arguments: args,
  ...(progressToken !== undefined && { _meta: { progressToken } }),
});
const sent = (headers: Record<string, string>, body: object): RequestInit => ({
  method: "POST",
  headers,
  body: JSON.stringify(body),
});

/** The ways to make a call with a token: without a handshake, by the newest revision, and in a session. */
const ways: [string, (params: object) => Promise<RequestInit>][] = [
  ["without a handshake", async (params) => sent(both, message("tools/call", params, "w"))],
  [
    "by the revision without sessions",
    async (params) => {
      const { headers, body } = modern("tools/call", params as Record<string, unknown>, "w");
      const { _meta } = params as { _meta?: object };
      const { _meta: own } = body.params as { _meta: object };
      return sent(headers, { ...body, params: { ...body.params, _meta: { ...own, ..._meta } } });
    },
  ],
  [
    "in a session",
    async (params) => {
      const session = await beginSession(mcp);
      const headers = { ...both, ...session, "mcp-protocol-version": "2025-11-25" };
      return sent(headers, message("tools/call", params, "w"));
    },
  ],
];

/** The messages of an answer, as JSON or as events. */
async function messagesOf(response: Response): Promise<Message[]> {
  const text = await response.text();
  if (!response.headers.get("content-type")!.startsWith("text/event-stream"))
    return [JSON.parse(text) as Message];
  const lines = text.split("\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line) => JSON.parse(line.slice(6)) as Message);
}

/** Lets time pass, a second at a time, while a wait is open; resolves to how long it was. */
async function passing(seconds_max = Infinity): Promise<number> {
  while (service.open().waits === 0) await service.clock.turn();
  let seconds = 0;
  while (service.open().waits > 0 && seconds < seconds_max) {
    service.clock.advance(1);
    seconds++;
    await service.clock.turn();
  }
  return seconds;
}

const progressOf = (messages: Message[]) =>
  messages.flatMap(({ method, params }) => (method === "notifications/progress" ? [params] : []));
const every_15 = (count: number, progressToken: unknown) =>
  Array.from({ length: count }, (_, i) => ({ progressToken, progress: 15 * (i + 1) }));

const waiting_tools: [string, () => object][] = [
  ["meet_read", () => ({ room: room.slug, since: "2100-01-01T00:00:00Z" })],
  ["meet_speak", () => ({ room: room.slug, name: "Eve", body: "Anybody?" })],
  ["wait", () => ({ new_rooms: "now" })],
  ["mailbox_read", () => ({ since: 0, name: ada.name, key: ada.key })],
  ["beacon", () => ({ round: Math.floor(service.clock.now() / 60_000) + 30 })],
];

describe.each(ways)("%s", (_way, request) => {
  test.each(waiting_tools)("%s waits for 280 seconds, with progress every 15", async (name, args) => {
    const answer = fetch(mcp, await request(tool(name, { ...args(), wait_seconds: 280 }, "token")));
    expect(await passing()).toBe(280);
    const response = await answer;
    expect(response.status).toBe(200);
    const messages = await messagesOf(response);
    expect(progressOf(messages)).toEqual(every_15(18, "token"));
    expect(messages.at(-1)).toMatchObject({ id: "w", result: { structuredContent: {} } });
    expect(messages.at(-1)!.result!.isError).toBeUndefined();
    expect(messages).toHaveLength(19);
    expect(service.open()).toMatchObject({ waits: 0, subscriptions: 0 });
  });

  test("a wait that ends early has the progress until then, and its news", async () => {
    const quiet = await open(service.url, "Early");
    const params = tool("meet_read", { room: quiet.slug, since: 0, wait_seconds: 280 }, 7);
    const answer = fetch(mcp, await request(params));
    await passing(40);
    await speak(quiet, "news");
    const messages = await messagesOf(await answer);
    expect(progressOf(messages)).toEqual(every_15(2, 7));
    expect(messages.at(-1)!.result!.structuredContent).toMatchObject({ posts: [{ body: "news" }] });
  });

  test("ends when its client leaves", async () => {
    const controller = new AbortController();
    const params = tool(
      "meet_read",
      { room: room.slug, since: "2100-01-01T00:00:00Z", wait_seconds: 280 },
      1,
    );
    const answer = fetch(mcp, { ...(await request(params)), signal: controller.signal });
    await passing(20);
    const response = await answer;
    expect(response.status).toBe(200);
    controller.abort();
    await response.text().catch(() => "");
    // In a session the client may come back for the answer.
    if (_way === "in a session") service.clock.advance(280);
    while (service.open().waits > 0) await service.clock.turn();
  });

  test.each(waiting_tools)("%s is held for 50 seconds without a token, and says so", async (name, args) => {
    const answer = fetch(mcp, await request(tool(name, { ...args(), wait_seconds: 280 })));
    expect(await passing()).toBe(50);
    const { isError, structuredContent, content } = (await messagesOf(await answer)).at(-1)!.result!;
    expect([isError, structuredContent.waited_seconds]).toEqual([undefined, 50]);
    expect(content[0]!.text).toEndWith("\nwaited_seconds: 50, the most without progress on an event stream");
  });

  test("a shorter wait, and one that news ended, does not say how long it was", async () => {
    const quiet = await open(service.url, "Short");
    const args = { room: quiet.slug, since: 0 };
    const short = fetch(mcp, await request(tool("meet_read", { ...args, wait_seconds: 50 })));
    expect(await passing()).toBe(50);
    const long = fetch(mcp, await request(tool("meet_read", { ...args, wait_seconds: 280 })));
    await passing(40);
    await speak(quiet, "news");
    for (const answer of [short, long]) {
      const { structuredContent } = (await messagesOf(await answer)).at(-1)!.result!;
      expect(structuredContent.posts).toBeArray();
      expect(structuredContent).not.toHaveProperty("waited_seconds");
    }
  });

  test("is refused for more than 280 seconds", async () => {
    for (const token of [undefined, "token"]) {
      const params = tool("wait", { new_rooms: "now", wait_seconds: 281 }, token);
      const answer = await messagesOf(await fetch(mcp, await request(params)));
      expect(JSON.stringify(answer)).toMatch(
        /invalid_fields.*wait_seconds: must be a whole number from 0 to 280/,
      );
    }
  });
});

test("a client that takes no stream gets no long wait, and progress is no part of its answer", async () => {
  const params = tool("wait", { new_rooms: "now", wait_seconds: 280 }, "t");
  const json = { "content-type": "application/json", accept: "application/json" };
  const answer = fetch(mcp, sent(json, message("tools/call", params, 1)));
  expect(await passing()).toBe(50);
  const response = await answer;
  expect(response.headers.get("content-type")).toStartWith("application/json");
  expect(await response.text()).toContain('"waited_seconds":50');
});

test("a shortened wait says 50, whatever its timer shows", async () => {
  const call = callTool(service.url, "wait", { new_rooms: "now", wait_seconds: 280 });
  while (service.open().waits === 0) await service.clock.turn();
  service.clock.advance(53);
  expect((await call).structuredContent).toMatchObject({ waited_seconds: 50 });
});

test("a repeated call with once waits as before, and says again what it waited", async () => {
  const args = { room: room.slug, name: "Eve", body: "Once?", wait_seconds: 280, once: crypto.randomUUID() };
  const calls = [callTool(service.url, "meet_speak", args)];
  expect(await passing()).toBe(50);
  const first = await calls[0];
  expect(first!.structuredContent).toMatchObject({ waited_seconds: 50 });
  const again = callTool(service.url, "meet_speak", args);
  expect(await passing()).toBe(50);
  expect((await again).structuredContent).toMatchObject({ waited_seconds: 50, replayed: true });
});

test("an answer within 15 seconds is plain JSON, and a refusal has its status", async () => {
  const limited = await startSource({ rate_limit: true, streams_by_address: 1 });
  const call = () =>
    fetch(
      `${limited.url}/mcp`,
      sent(both, message("tools/call", tool("wait", { new_rooms: "now", wait_seconds: 280 }, 1))),
    );
  const first = call();
  while (limited.open().waits === 0) await limited.clock.turn();
  const second = await call();
  expect(second.headers.get("content-type")).toStartWith("application/json");
  expect(await second.text()).toContain("too_many_open");
  await open(limited.url, "A new room");
  const answer = await first;
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
  await limited.stop();
});

test.each([
  ["SDK 1.x", oldClient],
  ["SDK 2.x", modernClient],
] as const)("%s is shown progress, and gets the answer", async (_name, connect) => {
  const { client, close } = await connect(mcp);
  const quiet = await open(service.url, "By a client");
  const seen: number[] = [];
  const answer = client.callTool(
    { name: "meet_read", arguments: { room: quiet.slug, since: 0, wait_seconds: 280 } },
    ...([
      ...(connect === oldClient ? [undefined] : []),
      { onprogress: ({ progress }: { progress: number }) => seen.push(progress), timeout: 300_000 },
    ] as never[]),
  );
  while (service.open().waits === 0) await service.clock.turn();
  for (let i = 1; i <= 17; i++) {
    service.clock.advance(15);
    while (seen.length < i) await service.clock.turn();
  }
  await speak(quiet, "the answer");
  expect(JSON.stringify(await answer)).toContain("the answer");
  expect(seen).toEqual(Array.from({ length: 17 }, (_, i) => 15 * (i + 1)));
  await close();
});

test("a call in a session is resumed after progress, and its progress does not go back", async () => {
  const session = await beginSession(mcp);
  const quiet = await open(service.url, "Resumed");
  const headers = { ...both, ...session, "mcp-protocol-version": "2025-11-25" };
  const params = tool("meet_read", { room: quiet.slug, since: 0, wait_seconds: 280 }, "r");
  const answer = fetch(mcp, sent(headers, message("tools/call", params, 3)));
  await passing(31);
  const reader = (await answer).body!.getReader();
  let seen = "";
  while (!seen.includes('"progress":30')) seen += new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
  const last = seen
    .split("\n")
    .findLast((line) => line.startsWith("id: "))!
    .slice(4);
  const resumed = fetch(mcp, { headers: { ...headers, accept: "text/event-stream", "last-event-id": last } });
  const response = await resumed;
  await passing(15);
  await speak(quiet, "after the loss");
  const messages = await messagesOf(response);
  expect(progressOf(messages)).toEqual([{ progressToken: "r", progress: 45 }]);
  expect(messages.at(-1)!.result!.structuredContent).toMatchObject({ posts: [{ body: "after the loss" }] });
});

test.skipIf(lacks_binary)("a long wait continues at a restarted service, after its progress", async () => {
  const data_dir = newDirectory();
  const port = await freePort();
  const before = await startBinary({ data_dir, port });
  const session = await beginSession(`${before.url}/mcp`);
  const { slug } = await open(before.url, "Restarted");
  const headers = { ...both, ...session, "mcp-protocol-version": "2025-11-25" };
  const params = tool("meet_read", { room: slug, since: 0, wait_seconds: 280 }, "r");
  const answer = await fetch(`${before.url}/mcp`, sent(headers, message("tools/call", params, 3)));
  const reader = answer.body!.getReader();
  let seen = "";
  while (!/^id: \S+$/m.test(seen)) seen += new TextDecoder().decode((await reader.read()).value);
  const last = /^id: (\S+)$/m.exec(seen)![1]!;
  before.process.kill("SIGKILL");
  await before.process.exited;
  const after = await startBinary({ data_dir, port });
  const resumed = await fetch(`${after.url}/mcp`, {
    headers: { ...headers, accept: "text/event-stream", "last-event-id": last },
  });
  await post(`${after.url}/api/meet/rooms/${slug}/posts`, { name: "Bob", body: "After the restart." });
  const messages = await messagesOf(resumed);
  expect(messages.at(-1)!.result!.structuredContent).toMatchObject({
    posts: [{ body: "After the restart." }],
  });
  await after.stop();
  removeDirectory(data_dir);
});
