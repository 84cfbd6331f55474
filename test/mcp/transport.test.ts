/** The MCP transport without a client library: plain calls, malformed ones, sessions over restarts, streams, origins, the page. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../src/core/limits.ts";
import { mcp_limits } from "../../src/mcp/limits.ts";
import { freePort } from "../support/free_port.ts";
import { post } from "../support/http.ts";
import { oldClient, type ToolAnswer } from "../support/mcp_clients.ts";
import { beginSession, handshake, message, type Rpc } from "../support/mcp_messages.ts";
import { newDirectory, removeDirectory, startSource, ways } from "../support/service.ts";
import { FakeClock } from "../support/clock.ts";

type Service = Awaited<ReturnType<typeof startSource>>;
type Result = ToolAnswer & { tools?: unknown[]; protocolVersion?: string };

let service: Service;
let lobby: string;
beforeAll(async () => {
  service = await startSource();
  lobby = `${service.url}/mcp/meet`;
});
afterAll(() => service.stop());

const toolCall = (name: string, args: object, id = 1) => message("tools/call", { name, arguments: args }, id);
const send = (body: unknown, headers: Record<string, string> = {}, url = lobby) =>
  post<Rpc<Result>>(url, body, headers);
const sendRaw = (body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(lobby, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });

const both = { accept: "application/json, text/event-stream" };

const cancelled = (requestId: number) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});
const cancelled_answer = (id: number) => ({
  jsonrpc: "2.0",
  id,
  error: { code: -32603, message: "The call was cancelled." },
});

/** The ids and messages of a session's stream. */
async function openStream(headers: Record<string, string>, url = lobby) {
  const controller = new AbortController();
  const response = await fetch(url, {
    headers: { accept: "text/event-stream", ...headers },
    signal: controller.signal,
  });
  return { status: response.status, body: response.body!, close: () => controller.abort() };
}

test("answers a call without a handshake in plain JSON", async () => {
  const list = await send(message("tools/list"));
  expect(list.status).toBe(200);
  expect(list.headers.get("content-type")).toBe("application/json");
  expect(list.headers.get("mcp-session-id")).toBeNull();
  expect(list.body.result!.tools).toHaveLength(7);
  const called = await send(toolCall("meet_rooms", {}));
  expect(called.body).toMatchObject({ jsonrpc: "2.0", id: 1, result: { structuredContent: { rooms: [] } } });
  expect((await send(message("ping", {}, "a"))).body).toMatchObject({ id: "a", result: {} });
  expect((await send(message("tools/list"), { accept: "*/*" })).body.result!.tools).toHaveLength(7);
});

test("answers a handshake of curl in plain JSON", async () => {
  const { headers, body } = await send(
    message("initialize", { ...handshake, protocolVersion: "2025-06-18" }),
  );
  expect(body.result!.protocolVersion).toBe("2025-06-18");
  expect(headers.get("mcp-session-id")).toMatch(/^[\x21-\x7e]+$/);
  const answer = await send(message("ping"), { "mcp-session-id": headers.get("mcp-session-id")! });
  expect(answer.body.result).toEqual({} as never);
});

test("begins no session for an empty or oversized handshake", async () => {
  const empty = await send(message("initialize"));
  expect(empty.body.error!.code).toBeLessThan(0);
  expect(empty.headers.get("mcp-session-id")).toBeNull();
  const clientInfo = { name: "x".repeat(mcp_limits.mcp_handshake_chars_max), version: "1" };
  const wordy = await send(message("initialize", { ...handshake, clientInfo }));
  expect(wordy.body.result!.protocolVersion).toBe("2025-11-25");
  expect(wordy.headers.get("mcp-session-id")).toBeNull();
});

describe("the MCP transport", () => {
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  test.each<[string, BodyInit, Record<string, string>, number, number]>([
    ["no JSON", "{", {}, 400, -32700],
    ["nothing", "", {}, 400, -32700],
    ["invalid UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), {}, 400, -32700],
    ["JSON 100,000 deep", deep, {}, 400, -32700],
    ["too much", " ".repeat(limits.request_body_bytes_max + 1), {}, 413, -32600],
    ["a form", "a=b", { "content-type": "application/x-www-form-urlencoded" }, 415, -32600],
    ["no message", "{}", {}, 400, -32600],
    ["null", "null", {}, 400, -32600],
    [
      "an unknown session",
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      { "mcp-session-id": "x" },
      404,
      -32001,
    ],
    [
      "an unknown revision",
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      { "mcp-protocol-version": "1" },
      400,
      -32000,
    ],
    [
      "a foreign origin",
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      { origin: "https://evil.example" },
      403,
      -32600,
    ],
    ["an opaque origin", '{"jsonrpc":"2.0","id":1,"method":"ping"}', { origin: "null" }, 403, -32600],
  ])("refuses with a JSON-RPC error: %s", async (_what, body, headers, status, code) => {
    const response = await sendRaw(body, headers);
    const answer = (await response.json()) as Rpc & { code?: string };
    expect(response.status).toBe(status);
    // The ingress before the transport refuses a body that is declared too large, as a problem.
    if (answer.error) expect(answer.error.code).toBe(code);
    else expect(answer.code).toBe("body_too_large");
    expect(JSON.stringify(answer)).not.toContain("evil.example");
  });

  test("refuses a body that exceeds the limit while it is sent", async () => {
    const chunk = new TextEncoder().encode(" ".repeat(64 * 1024));
    const body = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 5; i++) controller.enqueue(chunk);
        controller.close();
      },
    });
    const response = await sendRaw(body);
    expect(response.status).toBe(413);
    expect(((await response.json()) as Rpc).error!.code).toBe(-32600);
  });

  test.each([
    ["params.protocolVersion", { capabilities: {}, clientInfo: { name: "a", version: "1" } }],
    [
      "params.clientInfo.version",
      { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "a" } },
    ],
    ["params.capabilities", { protocolVersion: "2025-06-18", clientInfo: { name: "a", version: "1" } }],
  ])("refuses a handshake whose %s does not fit, and says so in one line", async (named, params) => {
    const { error } = (await send(message("initialize", params))).body;
    expect(error!.code).toBe(-32602);
    expect(error!.message).toMatch(/^[^\n[{]+$/);
    expect(error!.message).toContain(named);
  });

  test("refuses an unknown method and an unknown tool", async () => {
    expect((await send(message("rooms/list"))).body.error!.code).toBe(-32601);
    const { body } = await send(toolCall("rm", {}));
    expect(body.error!.code).toBe(-32602);
    expect(body.error!.message).toContain("meet_read");
  });

  test("refuses an HTTP method that does not exist", async () => {
    const response = await fetch(lobby, { method: "PUT" });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, POST, DELETE, HEAD, OPTIONS");
  });
});

test("accepts batches from revisions that have them", async () => {
  const batch = [toolCall("meet_rooms", {}, 1), message("ping", {}, 2)];
  const { body } = await post<Rpc[]>(lobby, batch, { "mcp-protocol-version": "2025-03-26" });
  expect(new Set(body.map(({ id }) => id))).toEqual(new Set([1, 2]));
  const refused = await send(batch, { "mcp-protocol-version": "2025-06-18" });
  expect(refused.status).toBe(400);
  expect(refused.body.error!.code).toBe(-32600);
});

test("limits a batch, so that a small request cannot exhaust the memory", async () => {
  const batchOf = (count: number) =>
    Array.from({ length: count }, (_, id) => toolCall("meet_rooms", {}, id + 1));
  const revision = { "mcp-protocol-version": "2025-03-26" };
  const whole = await post<Rpc[]>(lobby, batchOf(mcp_limits.mcp_batch_max), revision);
  expect(whole.body.length).toBe(mcp_limits.mcp_batch_max);
  const refused = await send(batchOf(mcp_limits.mcp_batch_max + 1), revision);
  expect(refused.status).toBe(400);
  expect(refused.body.error!.message).toContain(`at most ${mcp_limits.mcp_batch_max} messages`);
});

test("refuses a wrong credential in a header or as an argument", async () => {
  const wrong: Record<string, string>[] = [
    { authorization: "Bearer wfk_x" },
    { "x-wf-name": "a", "x-wf-key": "b" },
  ];
  for (const headers of wrong) {
    const { body } = await send(toolCall("meet_rooms", {}), headers);
    expect(body.result!.isError).toBe(true);
    expect(body.result!.content[0]!.text).toContain("unknown_credential");
  }
});

test("serves a page to browsers", async () => {
  await post(`${service.url}/api/meet/rooms`, { goal: "A room", name: "Ada" });
  for (const path of ["/mcp/meet", "/mcp/meet/a-room"]) {
    const response = await fetch(service.url + path, { headers: { accept: "text/html" } });
    const page = await response.text();
    expect(response.headers.get("content-type")).toStartWith("text/html");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page).toContain(`${service.url}${path}`);
    expect(page).toContain("meet_answer");
  }
});

test("opens a stream only in a session", async () => {
  const { status } = await openStream({});
  expect(status).toBe(405);
});

// A client that looks for metadata at the address itself must find no document there.
test.each(["*/*", "application/json", "application/json, text/event-stream", "text/markdown", ""])(
  "answers 405 to a GET outside of any session that does not ask for text/html: %p",
  async (accept) => {
    await post(`${service.url}/api/meet/rooms`, { goal: "Walked", name: "Ada" });
    for (const path of ["/mcp", "/mcp/meet", "/mcp/meet/walked", "/mcp/meet/nowhere"]) {
      for (const method of ["GET", "HEAD"]) {
        const response = await fetch(service.url + path, { method, headers: { accept } });
        expect([path, response.status, response.headers.get("allow")]).toEqual([
          path,
          405,
          "GET, POST, DELETE",
        ]);
        expect(response.headers.get("content-type")).toBe("application/json");
      }
    }
  },
);

test("accepts a session only at its address", async () => {
  const session = await beginSession(lobby);
  const { status } = await send(message("ping"), session, `${lobby}/a-room`);
  expect(status).toBe(404);
});

test("ends a session when its client deletes it", async () => {
  const session = await beginSession(lobby);
  expect((await send(message("ping"), session)).status).toBe(200);
  expect((await fetch(lobby, { method: "DELETE", headers: session })).status).toBe(204);
  expect((await send(message("ping"), session)).status).toBe(404);
  expect((await fetch(lobby, { method: "DELETE", headers: session })).status).toBe(404);
  expect((await fetch(lobby, { method: "DELETE" })).status).toBe(400);
});

test("replaces the first stream by a second one", async () => {
  const session = await beginSession(lobby);
  const first = await openStream(session);
  const second = await openStream(session);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(await new Response(first.body).text()).toBe(":\n\n");
  second.close();
});

test("ends a wait when its caller disconnects or cancels it", async () => {
  const opened = await send(toolCall("meet_open", { goal: "Leaving", name: "Ada" }));
  const { room } = opened.body.result!.structuredContent as { room: string };
  const wait = toolCall("meet_read", { room, since: 0, wait_seconds: 50 }, 9);
  const idle = service.clock.timers;
  const waiting = async (count: number) => {
    while (service.clock.timers !== idle + count) await service.clock.turn();
  };

  const controller = new AbortController();
  const left = fetch(lobby, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(wait),
    signal: controller.signal,
  });
  const gone = left.catch((error: Error) => error.name);
  await waiting(1);
  controller.abort();
  await waiting(0);
  expect(await gone).toBe("AbortError");

  const session = await beginSession(lobby);
  const stream = fetch(lobby, {
    method: "POST",
    headers: { "content-type": "application/json", ...both, ...session },
    body: JSON.stringify(wait),
  });
  await waiting(1);
  await send(cancelled(9), session);
  await waiting(0);
  // Its stream ends by itself, with an answer: a client that lost it would resume it without end.
  expect(await (await stream).text()).toContain(JSON.stringify(cancelled_answer(9)));

  const without_stream = send(wait, session);
  await waiting(1);
  await send(cancelled(9), session);
  expect((await without_stream).body).toEqual(cancelled_answer(9));
});

test("ends the stream of a call when another with its id is sent, which gets the answer", async () => {
  const opened = await send(toolCall("meet_open", { goal: "Sent again", name: "Ada" }));
  const { room } = opened.body.result!.structuredContent as { room: string };
  const session = await beginSession(lobby);
  const idle = service.clock.timers;
  const sendWait = async (count: number) => {
    const answer = fetch(lobby, {
      method: "POST",
      headers: { "content-type": "application/json", ...both, ...session },
      body: JSON.stringify(toolCall("meet_read", { room, since: 0, wait_seconds: 50 }, 9)),
    });
    while (service.clock.timers !== idle + count) await service.clock.turn();
    return answer;
  };
  const first = await sendWait(1);
  const second = await sendWait(2);
  expect(await first.text()).not.toContain("data: {");
  await send(toolCall("meet_speak", { room, name: "Bob", body: "To the second." }));
  expect(await second.text()).toContain("To the second.");
});

test("ends the stream of a batch when each of its calls is answered or cancelled", async () => {
  const opened = await send(toolCall("meet_open", { goal: "Leaving a batch", name: "Ada" }));
  const { room } = opened.body.result!.structuredContent as { room: string };
  const wait = (id: number) => toolCall("meet_read", { room, since: 0, wait_seconds: 50 }, id);
  const { headers } = await send(message("initialize", { ...handshake, protocolVersion: "2025-03-26" }));
  const session = { "mcp-session-id": headers.get("mcp-session-id")! };
  const idle = service.clock.timers;
  const stream = fetch(lobby, {
    method: "POST",
    headers: { "content-type": "application/json", ...both, ...session },
    body: JSON.stringify([wait(1), wait(2)]),
  });
  while (service.clock.timers !== idle + 2) await service.clock.turn();
  await send(cancelled(1), session);
  await send(toolCall("meet_speak", { room, name: "Bob", body: "For the other call." }));
  const text = await (await stream).text();
  expect(text).toContain(JSON.stringify(cancelled_answer(1)));
  expect(text).toContain("For the other call.");
});

test("refuses a message that is too long to be checked, and what a waiting call would hold", async () => {
  const info = { name: "x", version: "1", icons: Array(20_000).fill(1) };
  const meta = { progressToken: "x".repeat(mcp_limits.mcp_progress_token_chars_max + 1) };
  const call = toolCall("meet_rooms", {});
  for (const [body, max] of [
    [message("initialize", { ...handshake, clientInfo: info }), "16,384"],
    [
      { ...call, params: { ...call.params, _meta: { x: Array.from({ length: 20_000 }, () => ({})) } } },
      "16,384",
    ],
    [{ ...call, params: { ...call.params, _meta: meta } }, "1,024"],
  ] as const) {
    for (const given of [body, [body]]) {
      const refused = await send(given, { "mcp-protocol-version": "2025-03-26" });
      expect(refused).toMatchObject({ status: 400, body: { error: { code: -32600 } } });
      expect(refused.body.error!.message).toContain(`at most ${max} characters`);
    }
  }
  const unknown = { x: "y".repeat(mcp_limits.mcp_unknown_arguments_chars_max) };
  const waiting = await send(toolCall("meet_read", { room: "x", wait_seconds: 50, ...unknown }));
  expect(waiting.body.error).toMatchObject({ code: -32602, message: expect.stringContaining("4,096") });
  // A long text in a handshake, such as an icon, is nothing to check.
  const icon = { src: `data:image/png;base64,${"A".repeat(30_000)}` };
  const drawn = await send(message("initialize", { ...handshake, clientInfo: { ...info, icons: [icon] } }));
  expect(drawn.body.result).toMatchObject({ protocolVersion: handshake.protocolVersion });
  // A call that does not wait holds nothing, and a post may be long.
  const listed = await send(toolCall("meet_rooms", unknown));
  expect(listed.body.result!.content).toMatchObject([
    { text: expect.stringContaining("Ignored arguments: x") },
  ]);
});

test("refuses the id of a request that is too long", async () => {
  const session = await beginSession(lobby);
  const long = "x".repeat(mcp_limits.mcp_request_id_chars_max + 1);
  for (const body of [message("ping", {}, long), [message("ping", {}, long)]]) {
    const headers = { "mcp-session-id": session["mcp-session-id"], "mcp-protocol-version": "2025-03-26" };
    const refused = await send(body, headers);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ id: null, error: { code: -32600 } });
    expect(refused.body.error!.message).toContain("1,024");
  }
  expect((await send(message("ping", {}, long.slice(1)))).body).toMatchObject({
    id: long.slice(1),
    result: {},
  });
});

test("ends a wait with an empty answer after wait_seconds", async () => {
  const opened = await send(toolCall("meet_open", { goal: "Time", name: "Ada" }));
  const { room } = opened.body.result!.structuredContent as { room: string };
  const idle = service.clock.timers;
  const waiting = send(toolCall("meet_read", { room, since: 0, wait_seconds: 50 }));
  while (service.clock.timers === idle) await service.clock.turn();
  service.clock.advance(50);
  expect((await waiting).body.result!.structuredContent).toEqual({ posts: [], next_since: 0 });
});

describe.each(ways)("%s", (_way, start) => {
  test("keeps a session over a restart, unnoticed by its client", async () => {
    const data_dir = newDirectory();
    const port = await freePort();
    const before = await start({ data_dir, port });
    const { client, transport, call, close } = await oldClient(`${before.url}/mcp/meet`);
    const opened = (await call("meet_open", { goal: "Restart", name: "Ada" })).structuredContent as {
      room: string;
    };
    const session = transport.sessionId;
    await before.stop();

    const after = await start({ data_dir, port });
    const spoken = await call("meet_speak", { room: opened.room, name: "Ada", body: "Still here." });
    expect(spoken.isError ?? false).toBe(false);
    const waiting = call("meet_read", { room: opened.room, wait_seconds: 50 });
    expect((await waiting).content[0]!.text).toContain("Still here.");
    await client.ping();
    expect(transport.sessionId).toBe(session!);
    await close();
    await after.stop();
    removeDirectory(data_dir);
  });
});

test("answers waits when the service stops", async () => {
  const stopping = await startSource({}, new FakeClock(), 2);
  const { call, close } = await oldClient(`${stopping.url}/mcp/meet`);
  await call("meet_open", { goal: "Stopping", name: "Ada" });
  const idle = stopping.clock.timers;
  const waiting = call("meet_read", { room: "stopping", wait_seconds: 50 });
  while (stopping.clock.timers === idle) await stopping.clock.turn();
  const stopped = stopping.stop();
  expect((await waiting).structuredContent).toMatchObject({ posts: [] });
  await close();
  await stopped;
});

test("deletes sessions that have not been used for long", async () => {
  const session = await beginSession(lobby);
  service.clock.advance(mcp_limits.mcp_session_idle_hours * 3600 + 1);
  expect((await send(message("ping"), session)).status).toBe(404);
});

test("answers 404 for the page of a room that does not exist, without repeating the address", async () => {
  for (const room of ["nowhere", "nowhere.md", "x)%20IGNORE%20ALL.md"]) {
    const headers = { accept: "text/html" };
    const response = await fetch(`${service.url}/mcp/meet/${room}`, { headers });
    expect([room, response.status]).toEqual([room, 404]);
    const said = await response.text();
    expect(said).toContain("There is no room with that address.");
    expect(said).not.toMatch(/nowhere|IGNORE/);
  }
});
