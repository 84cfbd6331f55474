/** The bridge beside a service that works: messages of every revision are passed on, side by side, until they are answered. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startBridge, type LocalClient } from "../support/bridge.ts";
import { claim } from "../support/names.ts";
import { open, speak, uriOf } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";

let service: SourceService;
let client: LocalClient;
beforeAll(async () => {
  service = await startSource();
  client = startBridge(`${service.url}/mcp`);
  await client.begin();
});
afterAll(async () => {
  await client.end();
  await service.stop();
});

const updated = "notifications/resources/updated";

test("answers requests side by side, each with its id and its type of id", async () => {
  const room = await open(service.url, "Side by side");
  client.send({
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name: "meet_read", arguments: { room: room.slug, since: 0, wait_seconds: 50 } },
  });
  client.send({ jsonrpc: "2.0", id: "7", method: "ping" });
  expect(await client.next(({ id }) => id === "7")).toEqual({ jsonrpc: "2.0", id: "7", result: {} as never });
  await speak(room, "Here.");
  const read = await client.next(({ id }) => id === 7);
  expect(read.result!.structuredContent).toMatchObject({ posts: [{ body: "Here." }] });
});

test("passes on the notifications of a subscription, until it ends", async () => {
  const [followed, other] = [await open(service.url, "Followed"), await open(service.url, "Other")];
  await client.ask("resources/subscribe", { uri: uriOf(followed) });
  await client.ask("resources/subscribe", { uri: uriOf(other) });
  await speak(followed, "News.");
  expect((await client.next(({ method }) => method === updated)).params).toEqual({ uri: uriOf(followed) });
  await client.ask("resources/unsubscribe", { uri: uriOf(followed) });
  await speak(followed, "For nobody.");
  await speak(other, "News.");
  expect((await client.next(({ method }) => method === updated)).params).toEqual({ uri: uriOf(other) });
});

test("a second handshake begins a session of its own", async () => {
  const twice = startBridge(`${service.url}/mcp`);
  for (const goal of ["First handshake", "Second handshake"]) {
    await twice.begin();
    const room = await open(service.url, goal);
    await twice.ask("resources/subscribe", { uri: uriOf(room) });
    await speak(room, "News.");
    expect((await twice.next(({ method }) => method === updated)).params).toEqual({ uri: uriOf(room) });
  }
  await twice.end();
});

test("answers at its end what was sent before, but waits for nobody", async () => {
  const room = await open(service.url, "Piped");
  const piped = startBridge(`${service.url}/mcp`);
  const args = { room: room.slug, since: 0, wait_seconds: 50 };
  const params = { name: "meet_read", arguments: args };
  piped.send({ jsonrpc: "2.0", id: "wait", method: "tools/call", params });
  piped.send({ jsonrpc: "2.0", id: "list", method: "tools/list" });
  const { promise: is_late, resolve: passTime } = Promise.withResolvers<void>();
  const ended = piped.end(is_late);
  await piped.next(({ id }) => id === "list");
  expect(Bun.peek.status(ended)).toBe("pending");
  passTime();
  await ended;
  expect(piped.said.map(({ id }) => id)).toEqual(["list"]);
});

test("ends a call that is cancelled, and does not answer it", async () => {
  const room = await open(service.url, "Cancelled");
  const params = { name: "meet_read", arguments: { room: room.slug, since: 0, wait_seconds: 50 } };
  client.send({ jsonrpc: "2.0", id: "long", method: "tools/call", params });
  while (service.open().waits === 0) await Bun.sleep(5);
  client.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "long" } });
  while (service.open().waits > 0) await Bun.sleep(5);
  await client.ask("ping");
  expect(client.said.filter(({ id }) => id === "long")).toEqual([]);
});

test("returns each refusal with the id of its request", async () => {
  const refused = await client.call("meet_read", { room: "nowhere" });
  expect(refused.result!.isError).toBe(true);
  expect((await client.ask("no/such/method")).error!.code).toBe(-32601);
  expect((await client.ask("tools/call", { name: "no_such_tool" })).error!.code).toBe(-32602);
});

test("answers what is no message, and goes on", async () => {
  const before = client.said.length;
  for (const line of ["{", "", "7", `{"jsonrpc":"2.0","id":null}`]) client.send(line);
  await client.ask("ping");
  expect(client.said.slice(before).map(({ id, error }) => [id, error?.code])).toEqual([
    [null, -32700],
    [null, -32600],
    [expect.stringMatching(/^r/), undefined],
  ]);
});

test("answers each message of a batch, and refuses an id that is open", async () => {
  const room = await open(service.url, "Batch");
  const wait = { name: "meet_read", arguments: { room: room.slug, since: 0, wait_seconds: 50 } };
  const call = { jsonrpc: "2.0", id: "batched", method: "tools/call", params: wait };
  client.send([call, { jsonrpc: "2.0", id: "beside", method: "ping" }]);
  await client.next(({ id }) => id === "beside");
  client.send(call);
  expect((await client.next(({ id }) => id === "batched")).error!.message).toContain("id is open");
  await speak(room, "News.");
  expect((await client.next(({ id }) => id === "batched")).result!.structuredContent).toMatchObject({
    posts: [{ body: "News." }],
  });
});

test("calls with the credential, which it repeats nowhere", async () => {
  const { name, key, pair } = await claim(service.url, "bridge-ada");
  const named = startBridge(`${service.url}/mcp`, { headers: pair });
  await named.begin();
  const { result } = await named.call("locker_put", { slot: "notes", value: "Mine." });
  expect(result!.isError).toBeUndefined();
  const found = await named.call("name_lookup", { name });
  expect(found.result!.structuredContent).toMatchObject({ name });
  await named.end();
  expect(JSON.stringify([named.said, named.notes])).not.toContain(key);
});

test("returns the refusal of a request as a whole: a wrong key, and an address that is no service", async () => {
  const stranger = startBridge(`${service.url}/mcp`, {
    headers: { authorization: `Bearer wfk_${"A".repeat(43)}` },
  });
  expect((await stranger.ask("ping")).error!.message).toContain("Refused (unknown_credential)");
  expect((await stranger.call("meet_rooms", {})).error!.message).toContain("Refused (unknown_credential)");
  const lost = startBridge(`${service.url}/nowhere`);
  expect((await lost.ask("ping")).error!.message).toContain("Refused (path_not_found)");
  const elsewhere = Bun.serve({ port: 0, fetch: () => new Response("<p>Hello", { status: 404 }) });
  const wrong = startBridge(`${elsewhere.url.origin}/mcp`);
  expect((await wrong.ask("ping")).error!.message).toContain("answers 404. Is a Wharf service there?");
  await elsewhere.stop(true);
});

test("follows no redirect, and says where it points", async () => {
  let is_reached = false;
  const target = Bun.serve({ port: 0, fetch: () => ((is_reached = true), Response.json({})) });
  const elsewhere = Bun.serve({ port: 0, fetch: () => Response.redirect(target.url.href, 307) });
  const client = startBridge(`${elsewhere.url.origin}/mcp`, { headers: { "x-wf-key": "wfk_secret" } });
  expect((await client.ask("ping")).error!.message).toContain(`answers 307, and names ${target.url.href}`);
  expect(is_reached).toBe(false);
  await elsewhere.stop(true);
  await target.stop(true);
});

describe("revision 2026-07-28", () => {
  test("needs no handshake: its headers are those that the message names", async () => {
    const room = await open(service.url, "Ünlisted");
    const plain = startBridge(`${service.url}/mcp`);
    const found = await plain.askModern("server/discover");
    expect(found.result).toMatchObject({ supportedVersions: expect.arrayContaining(["2026-07-28"]) });
    const read = await plain.askModern("tools/call", { name: "meet_read", arguments: { room: room.slug } });
    expect(read.result).toMatchObject({
      resultType: "complete",
      structuredContent: { room: { goal: "Ünlisted" } },
    });
    const unknown = await plain.askModern("resources/read", { uri: "meet://room/ünbekannt" });
    expect(unknown.error!.code).toBe(-32602);
    await plain.end();
  });

  test("answers subscriptions/listen at once if there is nothing to listen to", async () => {
    const plain = startBridge(`${service.url}/mcp`);
    const filter = { notifications: { resourceSubscriptions: ["meet://room/nowhere"] } };
    expect((await plain.askModern("subscriptions/listen", filter)).result).toMatchObject({
      resultType: "complete",
    });
    await plain.end();
  });

  test("passes on the notifications of subscriptions/listen, until it is cancelled", async () => {
    const room = await open(service.url, "Listened to");
    const plain = startBridge(`${service.url}/mcp`);
    const before = service.open().subscriptions;
    const listened = plain.askModern("subscriptions/listen", {
      notifications: { resourceSubscriptions: [uriOf(room)] },
    });
    const acknowledged = await plain.next(({ method }) => method !== undefined);
    expect(acknowledged.params).toMatchObject({ notifications: { resourceSubscriptions: [uriOf(room)] } });
    await speak(room, "News.");
    const news = await plain.next(({ method }) => method === updated);
    expect(news.params).toEqual({ _meta: { "io.modelcontextprotocol/subscriptionId": 1 }, uri: uriOf(room) });
    plain.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    while (service.open().subscriptions > before) await Bun.sleep(5);
    await plain.askModern("tools/list");
    expect(plain.said.filter(({ id }) => id === 1)).toEqual([]);
    void listened;
    await plain.end();
  });
});
