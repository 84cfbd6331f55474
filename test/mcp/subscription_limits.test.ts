/** Following rooms over MCP: limits, refusals, and cleanup. */

import { expect, test } from "bun:test";
import { mcp_limits } from "../../src/mcp/limits.ts";
import { web_limits } from "../../src/web/limits.ts";
import { post } from "../support/http.ts";
import {
  ask,
  askModern,
  beginSession,
  following,
  listen,
  modern,
  type Rpc,
} from "../support/mcp_messages.ts";
import { open, speak, uriOf, type Opened } from "../support/rooms.ts";
import { startSource } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";

test("limits the rooms that a session and a stream follow", async () => {
  const service = await startSource();
  const url = `${service.url}/mcp`;
  const count = mcp_limits.mcp_subscriptions_per_client;
  const rooms = await Promise.all(
    Array.from({ length: count + 1 }, (_, i) => open(service.url, `Room ${i}`)),
  );
  const session = await beginSession(url);
  const subscribe = (room: Opened) => ask(url, "resources/subscribe", { uri: uriOf(room) }, session);
  const answers = await Promise.all(rooms.map(subscribe));
  const refused = answers.filter(({ body }) => body.error);
  expect(refused).toHaveLength(1);
  expect(refused[0]!.body.error).toMatchObject({ code: -32602 });
  expect(refused[0]!.body.error!.message).toContain(String(count));
  // A node takes in what is stored.
  while (service.open().subscriptions !== count) await Bun.sleep(1);
  // A repeated subscription does not count again.
  expect((await subscribe(rooms[0]!)).body.error).toBeUndefined();
  expect(service.open().subscriptions).toBe(count);
  expect(
    (await askModern(url, "subscriptions/listen", following(rooms.map(uriOf)))).body.error,
  ).toMatchObject({ code: -32602 });
  await service.stop();
});

test("a subscription that is refused is none, and leaves an earlier one to the same room", async () => {
  const service = await startSource({ rate_limit: true, writes_per_minute_by_address: 4 });
  const url = `${service.url}/mcp`;
  const followed = await open(service.url, "Followed");
  const other = await open(service.url, "Not followed");
  const session = await beginSession(url);
  const subscribe = (room: Opened) => ask(url, "resources/subscribe", { uri: uriOf(room) }, session);
  expect((await subscribe(followed)).body.error).toBeUndefined();
  for (const room of [other, followed]) {
    expect((await subscribe(room)).body.error!.message).toContain("rate_limited");
    expect(service.open().subscriptions).toBe(1);
  }
  await service.stop();
});

test("leaves nothing of ended sessions and closed streams", async () => {
  const service = await startSource();
  const url = `${service.url}/mcp`;
  const rooms = await Promise.all([1, 2, 3].map((i) => open(service.url, `Room ${i}`)));
  const before = { ...service.open(), timers: service.clock.timers };
  const sessions = await Promise.all(Array.from({ length: 20 }, () => beginSession(url)));
  for (const session of sessions) {
    for (const room of rooms) await ask(url, "resources/subscribe", { uri: uriOf(room) }, session);
  }
  const streams = await Promise.all([
    ...sessions.map((session) => readEvents(url, { accept: "text/event-stream", ...session })),
    ...Array.from({ length: 20 }, () => listen(url, rooms.map(uriOf))),
  ]);
  expect(service.open().subscriptions).toBe(120);
  for (const room of rooms) await speak(room, "Heard by all");
  await Promise.all(streams.map((stream) => stream.next()));
  for (const session of sessions) await fetch(url, { method: "DELETE", headers: session });
  for (const stream of streams) await stream.close();
  while (service.open().subscriptions > 0) await service.clock.turn();
  service.clock.advance(web_limits.stream_heartbeat_seconds);
  expect({ ...service.open(), timers: service.clock.timers }).toEqual(before);
  await service.stop();
});

test.each<[string, object]>([
  ["no uri", {}],
  ["a uri that is none", { uri: 1 }],
  ["another scheme", { uri: "file:///x" }],
  ["an unknown room", { uri: "meet://room/nowhere" }],
])("refuses to follow %s", async (_what, params) => {
  const service = await startSource();
  const url = `${service.url}/mcp`;
  const { body } = await ask(url, "resources/subscribe", params, await beginSession(url));
  expect([-32602, -32002]).toContain(body.error!.code);
  expect(service.open().subscriptions).toBe(0);
  await service.stop();
});

test("refuses a subscription without a session, and a listener that names nothing", async () => {
  const service = await startSource();
  const url = `${service.url}/mcp`;
  const room = await open(service.url, "No session");
  const { body } = await ask(url, "resources/subscribe", { uri: uriOf(room) });
  expect(body.error).toMatchObject({ code: -32600 });
  expect(body.error!.message).toContain("initialize");
  for (const params of [{}, { notifications: 1 }, following([1])]) {
    const refused = await askModern(url, "subscriptions/listen", params);
    expect(refused.body.error).toMatchObject({ code: -32602 });
  }
  const wrong = await askModern(url, "subscriptions/listen", following([uriOf(room)]), {
    authorization: "Bearer wfk_wrong",
  });
  expect(wrong.body.error!.message).toContain("unknown_credential");
  expect(service.open().subscriptions).toBe(0);
  await service.stop();
});

test.each<[string, object]>([
  ["does not name its program", { "io.modelcontextprotocol/clientInfo": undefined }],
  ["wants messages of a log", { "io.modelcontextprotocol/logLevel": "info" }],
  ["has a capability of its own", { "io.modelcontextprotocol/clientCapabilities": { "test/own": true } }],
])("opens a stream for a client that %s", async (_what, changed_meta) => {
  const service = await startSource();
  const url = `${service.url}/mcp`;
  const room = await open(service.url, "Who listens?");
  const { headers, body } = modern("subscriptions/listen", following([uriOf(room)]), "a");
  const { _meta: meta } = body.params as { _meta: object };
  const about_client = { _meta: { ...meta, ...changed_meta } };
  const params = { ...body.params, ...about_client };
  const stream = await readEvents(url, headers, JSON.stringify({ ...body, params }));
  await speak(room, "Do you hear?");
  for (const method of ["notifications/subscriptions/acknowledged", "notifications/resources/updated"]) {
    expect((await stream.next())?.data).toMatchObject({ method });
  }
  await stream.close();
  const refused = await post<Rpc>(url, { ...body, params: about_client }, headers);
  expect(refused.body.error).toMatchObject({ code: -32602 });
  expect(refused.body.error!.message).toContain("resourceSubscriptions");
  await service.stop();
});
