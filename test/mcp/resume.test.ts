/** Resuming the stream of a call in an MCP session: authentication, and the error for a lost answer. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asOwner } from "../support/admin.ts";
import { freePort } from "../support/free_port.ts";
import { post } from "../support/http.ts";
import { asIdEnd, repeatableCall } from "../../src/mcp/sessions/repeatable_call.ts";
import type { RpcRequest } from "../../src/mcp/types.ts";
import { ask, beginSession, message, type Rpc } from "../support/mcp_messages.ts";
import { claim, type Holder } from "../support/names.ts";
import { lacks_binary } from "../support/binary.ts";
import { newDirectory, removeDirectory, startBinary, startSource } from "../support/service.ts";

type Headers = Record<string, string>;

let service: Awaited<ReturnType<typeof startSource>>;
let address: string;
beforeAll(async () => {
  service = await startSource();
  address = `${service.url}/mcp`;
});
afterAll(() => service.stop());

const call = (name: string, args: object, id: string | number) =>
  message("tools/call", { name, arguments: args }, id);

/** Makes a call that waits, loses the connection when `until` has arrived, and returns the id of the first event. */
async function loseConnection(
  url: string,
  body: object,
  headers: Headers,
  until = /^id: \S+$/m,
): Promise<string> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let seen = "";
  while (!until.test(seen)) seen += decoder.decode((await reader.read()).value);
  await reader.cancel();
  return /^id: (\S+)$/m.exec(seen)![1]!;
}

const resume = (url: string, last_event_id: string, headers: Headers) =>
  fetch(url, { headers: { accept: "text/event-stream", "last-event-id": last_event_id, ...headers } });

/** The messages on a stream that ends. */
async function messagesOf(response: Response): Promise<Rpc[]> {
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line) => JSON.parse(line.slice(6)) as Rpc);
}

const lost = (id: unknown) => ({
  jsonrpc: "2.0",
  id,
  error: { code: -32603, message: expect.stringContaining("not available any more") },
});

async function openRoom(url: string): Promise<string> {
  const { body } = await post<{ slug: string }>(`${url}/api/meet/rooms`, { goal: "Resume", name: "Ada" });
  return body.slug;
}

const say = (room: string) =>
  post<{ id: string }>(`${service.url}/api/meet/rooms/${room}/posts`, {
    name: "Bob",
    body: "While you were away.",
  });

test("resumes a call after its connection is lost", async () => {
  const session = await beginSession(address);
  const room = await openRoom(service.url);
  const last = await loseConnection(address, call("meet_read", { room, wait_seconds: 50 }, 7), session);
  await say(room);
  const text = await (await resume(address, last, session)).text();
  expect(text).toContain("While you were away.");
  expect(text).toContain('"id":7');
});

test("a ban ends a stream that resumes a call of another network, and not the call", async () => {
  const session = await beginSession(address);
  const room = await openRoom(service.url);
  const caller = { ...session, "x-forwarded-for": "203.0.113.1" };
  const banned = { ...session, "x-forwarded-for": "198.51.100.1" };
  const last = await loseConnection(address, call("meet_read", { room, wait_seconds: 50 }, 7), caller);
  const resumed = await resume(address, last, banned);
  expect(resumed.status).toBe(200);
  await asOwner(service, "POST", "/api/admin/bans", { network: "198.51.100.0/24", reason: "x" });
  expect(await resumed.text()).not.toContain('"id":7');
  await say(room);
  expect(await (await resume(address, last, caller)).text()).toContain("While you were away.");
});

describe.each(["2025-03-26", "2025-06-18", "2025-11-25"])("in revision %s", (revision) => {
  /** A session of this revision, as headers. */
  async function beginAt(): Promise<Headers> {
    const clientInfo = { name: "test", version: "1" };
    const handshake = { protocolVersion: revision, capabilities: {}, clientInfo };
    const { headers } = await ask(address, "initialize", handshake);
    return { "mcp-session-id": headers.get("mcp-session-id")!, "mcp-protocol-version": revision };
  }

  test("a stream begins with an event that has an id and is no message", async () => {
    const session = await beginAt();
    const room = await openRoom(service.url);
    const response = await fetch(address, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...session,
      },
      body: JSON.stringify(call("meet_read", { room, wait_seconds: 50 }, 7)),
    });
    await say(room);
    const [first, last] = (await response.text()).split("\n\n").filter((event) => /^data:/m.test(event));
    expect(first).toMatch(/^id: \S+$/m);
    expect(first).toMatch(/^retry: \d+$/m);
    if (revision < "2025-11-25") expect(first).toMatch(/^event: resumable\ndata: \{\}$/m);
    expect(last).toContain("While you were away.");
  });

  test("a call that lost its connection at once can be resumed", async () => {
    const session = await beginAt();
    const room = await openRoom(service.url);
    const first = await loseConnection(
      address,
      call("meet_read", { room, wait_seconds: 50 }, 7),
      session,
      /^id: .*\n[^]*\n\n/m,
    );
    await say(room);
    const [answer] = await messagesOf(await resume(address, first, session));
    expect(answer).toMatchObject({ id: 7, result: { structuredContent: { posts: [{ n: 1 }] } } });
  });
});

test("an answer is lost if an admin hides a post before the call is resumed", async () => {
  const session = await beginSession(address);
  const room = await openRoom(service.url);
  const last = await loseConnection(address, call("meet_read", { room, wait_seconds: 50 }, 7), session);
  const { body } = await say(room);
  // The answer is stored: a stream that resumes has it.
  const stored = await (await resume(address, last, session)).text();
  expect(stored).toContain("While you were away.");
  await asOwner(service, "POST", `/api/admin/posts/${body.id}/hide`, { reason: "x" });
  expect(await messagesOf(await resume(address, last, session))).toEqual([lost(7)]);
});

describe("the answer to a call with a key", () => {
  let ada: Holder;
  let eve: Holder;
  beforeAll(async () => {
    ada = await claim(service.url, "resume-ada");
    eve = await claim(service.url, "resume-eve");
  });

  const by_header = (): [object, Headers] => [{ wait_seconds: 50 }, ada.pair];
  const by_argument = (): [object, Headers] => [{ wait_seconds: 50, name: ada.name, key: ada.key }, {}];
  test.each([
    ["in the headers", by_header],
    ["among the arguments", by_argument],
  ])("is returned again only with that key: %s", async (_where, made) => {
    const session = await beginSession(address);
    const [args, headers] = made();
    const last = await loseConnection(address, call("mailbox_read", args, "a"), { ...session, ...headers });
    const room = await openRoom(service.url);
    await post(`${service.url}/api/meet/rooms/${room}/posts`, { name: "Bob", body: `@${ada.name} private` });

    const without = await resume(address, last, session);
    expect(without.status).toBe(200);
    expect(await messagesOf(without)).toEqual([lost("a") as never]);
    expect(await messagesOf(await resume(address, last, { ...session, ...eve.pair }))).toEqual([
      lost("a") as never,
    ]);
    const wrong = await resume(address, last, { ...session, ...ada.pair, "x-wf-key": eve.key });
    expect(wrong.status).toBe(401);

    const text = await (await resume(address, last, { ...session, ...ada.pair })).text();
    expect(text).toContain("room.mention");
  });
});

describe("a call that another node, or a later run, makes again", () => {
  const codeOf = (text: string) => Bun.hash(text).toString(36);
  const again = (args: object, key: string | null) => {
    const made = call("meet_read", { room: "general", ...args }, 7) as RpcRequest;
    return repeatableCall(`a-1-${asIdEnd(made, 0, codeOf)!}`, key, 0, codeOf);
  };

  test("needs the key that it was made with", () => {
    expect(again({ key: "wfk_ada" }, null)).toBeNull();
    expect(again({ key: "wfk_ada" }, "wfk_ada")).toMatchObject({
      params: { arguments: { room: "general", key: "wfk_ada" } },
    });
  });

  test.each([[{}], [{ key: null }]])("needs none if it was made without one: %p", (args) => {
    expect(again(args, null)).toMatchObject({ id: 7, params: { name: "meet_read" } });
    expect(again(args, null)!.params!.arguments).toEqual({ room: "general" });
  });
});

test("ends a call with an error if its answer is too long to be stored", async () => {
  const session = await beginSession(address);
  const room = await openRoom(service.url);
  for (let i = 0; i < 20; i++) {
    await post(`${service.url}/api/meet/rooms/${room}/posts`, { name: "Bob", body: "x".repeat(4000) });
  }
  const read = call("meet_read", { room, limit: 200, wait_seconds: 50, since: "2000-01-01T00:00:00Z" }, 3);
  const last = await loseConnection(address, read, session, /^data: \{"result".*\}$|"id":3\}$/m);
  expect(await messagesOf(await resume(address, last, session))).toEqual([lost(3) as never]);
});

describe("an event that is not stored", () => {
  test.skipIf(lacks_binary)(
    "makes its call again if it is of another run of the service, or ends it with an error if it was too long",
    async () => {
      const data_dir = newDirectory();
      const port = await freePort();
      const before = await startBinary({ data_dir, port });
      const session = await beginSession(`${before.url}/mcp`);
      const room = await openRoom(before.url);
      const wait = call("meet_read", { room, wait_seconds: 50 }, "the call");
      const long = {
        room: await openRoom(before.url),
        name: "Ada",
        body: "é".repeat(4000),
        wait_seconds: 50,
      };
      const spoken = call("meet_speak", long, "the long one");
      const first = await loseConnection(`${before.url}/mcp`, spoken, session);
      const last = await loseConnection(`${before.url}/mcp`, wait, session);
      before.process.kill("SIGKILL");
      await before.process.exited;

      const after = await startBinary({ data_dir, port });
      expect(await messagesOf(await resume(`${after.url}/mcp`, first, session))).toEqual([
        lost("the long one") as never,
      ]);
      const resumed = await resume(`${after.url}/mcp`, last, session);
      expect(resumed.status).toBe(200);
      await post(`${after.url}/api/meet/rooms/${room}/posts`, { name: "Bob", body: "After the restart." });
      const [answer, ...others] = await messagesOf(resumed);
      expect(answer).toMatchObject({
        id: "the call",
        result: { structuredContent: { posts: [{ body: "After the restart." }] } },
      });
      expect(others).toEqual([]);
      await after.stop();
      removeDirectory(data_dir);
    },
  );

  test.each([
    ["of an older version", "of-another-life-1"],
    ["one letter", "x"],
    ["one that is far too long", `${"0".repeat(16)}-1-${"e".repeat(5000)}`],
  ])("opens or keeps the session's own stream if its id names no call: %s", async (_which, id) => {
    const session = await beginSession(address);
    const first = await resume(address, id, session);
    expect(first.status).toBe(200);
    const reader = first.body!.getReader();
    await reader.read();
    let has_ended = false;
    void reader.closed.then(
      () => (has_ended = true),
      () => {},
    );
    // A client resumes a lost call beside its session's stream. If that took the stream's place, the client would open the
    // other one again, and so on without end.
    const second = await resume(address, id, session);
    expect(second.status).toBe(200);
    expect(await second.text()).toBe(":\n\n");
    await service.clock.turn();
    expect(has_ended).toBe(false);
    await reader.cancel();
  });
});
