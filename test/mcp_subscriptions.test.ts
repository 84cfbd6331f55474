/** Following rooms over MCP: sessions of 2025-11-25 and subscriptions/listen of 2026-07-28, restarts, slow readers, limits, leaks. */

import { describe, expect, test } from "bun:test";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { limits } from "../src/limits.ts";
import { Subscribers } from "../src/web/mcp/subscribers.ts";
import { UpdateStream } from "../src/web/mcp/update_stream.ts";
import { Updates } from "../src/web/mcp/updates.ts";
import { post } from "./support/http.ts";
import { modernClient, oldClient } from "./support/mcp_clients.ts";
import { ask, askModern, beginSession, modern } from "./support/mcp_messages.ts";
import { newDirectory, removeDirectory, startSource, ways } from "./support/service.ts";
import { readEvents } from "./support/sse.ts";

interface Opened {
  slug: string;
  api: string;
  host_key: string;
}
interface Notified {
  method: string;
  params: { uri: string; _meta?: Record<string, unknown> };
}

const open = async (url: string, goal: string, visibility = "public"): Promise<Opened> =>
  (await post<Opened>(`${url}/api/meet/rooms`, { goal, name: "Ada", visibility })).body;
const speak = (room: { api: string }, body: string) => post(`${room.api}/posts`, { name: "Bob", body });
const uriOf = ({ slug }: { slug: string }): string => `meet://room/${slug}`;

/** What a client is told, one after the other. */
class Told {
  readonly #uris: string[] = [];
  #waiting: ((uri: string) => void) | undefined;

  readonly add = ({ params }: { params: { uri: string } }): void => {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) waiting(params.uri);
    else this.#uris.push(params.uri);
  };

  next(): Promise<string> {
    const uri = this.#uris.shift();
    return uri === undefined ? new Promise((resolve) => (this.#waiting = resolve)) : Promise.resolve(uri);
  }

  get left(): number {
    return this.#uris.length;
  }
}

const updated = "notifications/resources/updated";
const addresses = (room: Opened): string[] => ["/mcp", "/mcp/meet", `/mcp/meet/${room.slug}`];

describe.each(ways)("%s", (_way, start) => {
  test("a session of SDK 1.x is told when the room changes, and no more once it unsubscribes", async () => {
    const service = await start();
    const room = await open(service.url, "Who follows?");
    const other = await open(service.url, "And here?");
    for (const address of addresses(room)) {
      const { client, close } = await oldClient(service.url + address);
      const told = new Told();
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, told.add);
      await client.subscribeResource({ uri: uriOf(room) });
      await speak(room, "Do you hear?");
      expect(await told.next()).toBe(uriOf(room));
      const refused = client.subscribeResource({ uri: uriOf(other) });
      if (address.endsWith(room.slug)) {
        expect(await refused.catch((error: Error) => error.message)).toContain(`/mcp/meet/${other.slug}`);
      } else {
        await refused;
        await client.unsubscribeResource({ uri: uriOf(room) });
        await speak(room, "And now?");
        await speak(other, "And here?");
        // They come in order: the first is not told.
        expect(await told.next()).toBe(uriOf(other));
      }
      expect(told.left).toBe(0);
      await close();
    }
    await service.stop();
  });

  test("a listener of SDK 2.x is told of the rooms that are there, until it stops", async () => {
    const service = await start();
    const room = await open(service.url, "Who listens?", "unlisted");
    for (const address of addresses(room)) {
      const { client, close } = await modernClient(service.url + address);
      const told = new Told();
      client.setNotificationHandler(updated, told.add);
      const subscription = await client.listen({
        toolsListChanged: true,
        resourceSubscriptions: [uriOf(room), "meet://room/nowhere"],
      });
      expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [uriOf(room)] });
      await speak(room, "Do you hear?");
      expect(await told.next()).toBe(uriOf(room));
      await subscription.close();
      expect(await subscription.closed).toBe("local");
      await close();
    }
    await service.stop();
  });

  test("a listener is told that the service stops", async () => {
    const service = await start();
    const room = await open(service.url, "Who stays?");
    const { client, close } = await modernClient(`${service.url}/mcp`);
    const subscription = await client.listen({ resourceSubscriptions: [uriOf(room)] });
    await service.stop();
    expect(await subscription.closed).toBe("graceful");
    await close();
  });

  test("a session follows its rooms after a restart too, and is told what may have changed meanwhile", async () => {
    const data_dir = newDirectory();
    const before = await start({ data_dir });
    const port = Number(new URL(before.url).port);
    const [followed, left] = [await open(before.url, "Followed"), await open(before.url, "Left")];
    const { client, close } = await oldClient(`${before.url}/mcp`);
    const told = new Told();
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, told.add);
    for (const room of [followed, left]) await client.subscribeResource({ uri: uriOf(room) });
    await client.unsubscribeResource({ uri: uriOf(left) });
    await before.stop();

    const after = await start({ data_dir, port });
    // The client opens its stream again by itself.
    expect(await told.next()).toBe(uriOf(followed));
    await speak(left, "Nobody follows this.");
    await speak(followed, "Still there?");
    expect(await told.next()).toBe(uriOf(followed));
    expect(told.left).toBe(0);
    await close();
    await after.stop();
    removeDirectory(data_dir);
  });
});

describe("the streams themselves", () => {
  test("every change of a room is told: a post, a redaction, the closing", async () => {
    const service = await startSource();
    const room = await open(service.url, "Changes");
    const stream = await listen(`${service.url}/mcp`, [uriOf(room)]);
    expect(await stream.next()).toMatchObject({
      data: {
        method: "notifications/subscriptions/acknowledged",
        params: {
          _meta: { "io.modelcontextprotocol/subscriptionId": "a" },
          notifications: { resourceSubscriptions: [uriOf(room)] },
        },
      },
    });
    const spoken = await speak(room, "To be redacted");
    const one = { data: { method: updated, params: { uri: uriOf(room) } } };
    expect(await stream.next()).toMatchObject(one);
    const key = { "x-meet-key": room.host_key };
    await fetch(`${room.api}/posts/${String(spoken.body.id)}`, { method: "DELETE", headers: key });
    expect(await stream.next()).toMatchObject(one);
    await post(`${room.api}/close`, undefined, key);
    expect(await stream.next()).toMatchObject({
      data: { params: { _meta: { "io.modelcontextprotocol/subscriptionId": "a" } } },
    });
    await stream.close();
    await service.stop();
  });

  test("who listens to nothing that is there is told so, and the stream ends", async () => {
    const service = await startSource();
    const room = await open(service.url, "Elsewhere");
    for (const uris of [[], ["meet://room/nowhere"], ["file:///x"]]) {
      const stream = await listen(`${service.url}/mcp`, uris);
      expect(await stream.next()).toMatchObject({ data: { params: { notifications: {} } } });
      expect(await stream.next()).toMatchObject({ data: { id: "a", result: { resultType: "complete" } } });
      expect(await stream.next()).toBeNull();
    }
    const there = await open(service.url, "There");
    const stream = await listen(`${service.url}/mcp/meet/${there.slug}`, [uriOf(room)]);
    expect(await stream.next()).toMatchObject({ data: { params: { notifications: {} } } });
    await stream.close();
    await service.stop();
  });

  test("what a lost stream may have lost is told on the next one, and a quiet room is not", async () => {
    const service = await startSource();
    const url = `${service.url}/mcp/meet`;
    const [busy, quiet] = [await open(service.url, "Busy"), await open(service.url, "Quiet")];
    const session = await beginSession(url);
    for (const room of [busy, quiet]) await ask(url, "resources/subscribe", { uri: uriOf(room) }, session);
    const headers = { accept: "text/event-stream", ...session };
    // Told on the first stream, and said while there was none.
    await speak(busy, "Before any stream");
    const first = await readEvents(url, headers);
    expect(await first.next()).toMatchObject({ data: { params: { uri: uriOf(busy) } } });
    await first.close();
    const second = await readEvents(url, headers);
    expect(await second.next()).toMatchObject({ data: { params: { uri: uriOf(busy) } } });
    await second.close();
    const last = await readEvents(url, headers);
    expect(await last.next()).toMatchObject({ data: { params: { uri: uriOf(busy) } } });
    await speak(quiet, "At last");
    expect(await last.next()).toMatchObject({ data: { params: { uri: uriOf(quiet) } } });
    await last.close();
    await service.stop();
  });

  test("a second stream of a session takes over from the first", async () => {
    const service = await startSource();
    const url = `${service.url}/mcp`;
    const room = await open(service.url, "Taken over");
    const session = await beginSession(url);
    await ask(url, "resources/subscribe", { uri: uriOf(room) }, session);
    const headers = { accept: "text/event-stream", ...session };
    const first = await readEvents(url, headers);
    const second = await readEvents(url, headers);
    expect(await first.next()).toBeNull();
    await speak(room, "Here");
    expect(await second.next()).toMatchObject({ data: { params: { uri: uriOf(room) } } });
    await second.close();
    await service.stop();
  });

  test("a reader that takes nothing is told once of ten thousand changes", async () => {
    const subscribers = new Subscribers();
    const updates = new Updates(subscribers);
    const stream = new UpdateStream(":\n\n");
    for (const name of ["a", "b"]) updates.follow(`meet://room/${name}`, `room:${name}`);
    updates.tellOn(stream);
    for (let i = 0; i < 10_000; i++) subscribers.announce(i % 2 === 0 ? "room:a" : null);
    const reader = stream.body.getReader();
    const text = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await text()).toBe(":\n\n");
    const told = await text();
    expect(told.match(/"uri":"[^"]+"/g)).toEqual(['"uri":"meet://room/a"', '"uri":"meet://room/b"']);
    const next = text();
    subscribers.announce("room:b");
    expect(await next).toContain("meet://room/b");
    updates.close();
    expect((await reader.read()).done).toBe(true);
    expect(subscribers.count).toBe(0);
  });

  test("a stream shows that it lives, and what is not read costs nothing", async () => {
    const service = await startSource();
    const room = await open(service.url, "Alive");
    const { headers, body } = listening([uriOf(room)]);
    const response = await fetch(`${service.url}/mcp`, { method: "POST", headers, body });
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    const reader = response.body!.getReader();
    const text = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await text()).toContain("acknowledged");
    service.clock.advance(limits.stream_heartbeat_seconds);
    expect(await text()).toBe(": still here\n\n");
    await reader.cancel();
    await service.stop();
  });
});

describe("limits", () => {
  test("a session and a stream follow so many rooms and not one more", async () => {
    const service = await startSource();
    const url = `${service.url}/mcp`;
    const count = limits.mcp_subscriptions_per_client;
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
    expect(service.open().subscriptions).toBe(count);
    // Following again what is followed is no more than before.
    expect((await subscribe(rooms[0]!)).body.error).toBeUndefined();
    expect(service.open().subscriptions).toBe(count);
    expect((await askModern(url, "subscriptions/listen", filter(rooms.map(uriOf)))).body.error).toMatchObject(
      { code: -32602 },
    );
    await service.stop();
  });

  test("nothing is left of sessions that end and streams that are let go", async () => {
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
    service.clock.advance(limits.stream_heartbeat_seconds);
    expect({ ...service.open(), timers: service.clock.timers }).toEqual(before);
    await service.stop();
  });

  test.each<[string, object]>([
    ["no uri", {}],
    ["a uri that is none", { uri: 1 }],
    ["another scheme", { uri: "file:///x" }],
    ["an unknown room", { uri: "meet://room/nowhere" }],
  ])("%s cannot be followed", async (_what, params) => {
    const service = await startSource();
    const url = `${service.url}/mcp`;
    const { body } = await ask(url, "resources/subscribe", params, await beginSession(url));
    expect([-32602, -32002]).toContain(body.error!.code);
    expect(service.open().subscriptions).toBe(0);
    await service.stop();
  });

  test("who has no session is sent for one, and a listener has to say what it listens to", async () => {
    const service = await startSource();
    const url = `${service.url}/mcp`;
    const room = await open(service.url, "No session");
    const { body } = await ask(url, "resources/subscribe", { uri: uriOf(room) });
    expect(body.error).toMatchObject({ code: -32600 });
    expect(body.error!.message).toContain("initialize");
    for (const params of [{}, { notifications: 1 }, filter([1])]) {
      const refused = await askModern(url, "subscriptions/listen", params);
      expect(refused.body.error).toMatchObject({ code: -32602 });
    }
    const wrong = await askModernAs(url, { authorization: "Bearer wfk_wrong" }, uriOf(room));
    expect(wrong.body.error!.message).toContain("unknown_credential");
    expect(service.open().subscriptions).toBe(0);
    await service.stop();
  });
});

const filter = (uris: unknown[]) => ({ notifications: { resourceSubscriptions: uris } });

function listening(uris: unknown[]) {
  const { headers, body } = modern("subscriptions/listen", filter(uris), "a");
  return { headers, body: JSON.stringify(body) };
}

async function listen(url: string, uris: string[]) {
  const { headers, body } = listening(uris);
  const stream = await readEvents(url, headers, body);
  return { ...stream, next: async () => (await stream.next()) as { data: Notified } | null };
}

function askModernAs(url: string, credential: Record<string, string>, uri: string) {
  const { headers, body } = modern("subscriptions/listen", filter([uri]));
  return post<{ error?: { message: string } }>(url, body, { ...headers, ...credential });
}
