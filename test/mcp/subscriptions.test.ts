/** Following rooms over MCP: sessions of 2025-11-25 and subscriptions/listen of 2026-07-28, restarts, slow readers. */

import { describe, expect, test } from "bun:test";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { web_limits } from "../../src/web/limits.ts";
import { Topics } from "../../src/core/topics.ts";
import { UpdateStream } from "../../src/mcp/subscriptions/stream.ts";
import { PendingUpdates } from "../../src/mcp/subscriptions/pending.ts";
import { freePort } from "../support/free_port.ts";
import { modernClient, oldClient, oldClientOver } from "../support/mcp_clients.ts";
import { Notifications } from "../support/notifications.ts";
import { post } from "../support/http.ts";
import {
  ask,
  beginSession,
  following,
  handshake,
  listen,
  message,
  modern,
  type Rpc,
} from "../support/mcp_messages.ts";
import { closeRoom, open, speak, uriOf, type Opened } from "../support/rooms.ts";
import { newDirectory, removeDirectory, startSource, ways } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";

/** A client that reopens its stream until the service is there: by itself it tries twice, which a start may outlast. */
const again_and_again = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 1_000,
  reconnectionDelayGrowFactor: 1,
  maxRetries: 1_000,
};

const updated = "notifications/resources/updated";
const addresses = (room: Opened): string[] => ["/mcp", "/mcp/meet", `/mcp/meet/${room.slug}`];

describe.each(ways)("%s", (_way, start) => {
  test("notifies a session of SDK 1.x of changes until it unsubscribes", async () => {
    const service = await start();
    const room = await open(service.url, "Who follows?");
    const other = await open(service.url, "And here?");
    for (const address of addresses(room)) {
      const { client, close } = await oldClient(service.url + address);
      const received = new Notifications();
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, received.add);
      await client.subscribeResource({ uri: uriOf(room) });
      await speak(room, "Do you hear?");
      expect(await received.next()).toBe(uriOf(room));
      const refused = client.subscribeResource({ uri: uriOf(other) });
      if (address.endsWith(room.slug)) {
        expect(await refused.catch((error: Error) => error.message)).toContain(`/mcp/meet/${other.slug}`);
      } else {
        await refused;
        await client.unsubscribeResource({ uri: uriOf(room) });
        await speak(room, "And now?");
        await speak(other, "And here?");
        // Notifications come in order: there is none for the first room.
        expect(await received.next()).toBe(uriOf(other));
      }
      expect(received.left).toBe(0);
      await close();
    }
    await service.stop();
  });

  test("notifies a listener of SDK 2.x of the rooms that exist, until it stops", async () => {
    const service = await start();
    const room = await open(service.url, "Who listens?", "unlisted");
    for (const address of addresses(room)) {
      const { client, close } = await modernClient(service.url + address);
      const received = new Notifications();
      client.setNotificationHandler(updated, received.add);
      const subscription = await client.listen({
        toolsListChanged: true,
        resourceSubscriptions: [uriOf(room), "meet://room/nowhere"],
      });
      expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [uriOf(room)] });
      await speak(room, "Do you hear?");
      expect(await received.next()).toBe(uriOf(room));
      await subscription.close();
      expect(await subscription.closed).toBe("local");
      await close();
    }
    await service.stop();
  });

  test("notifies a listener that the service stops", async () => {
    const service = await start();
    const room = await open(service.url, "Who stays?");
    const { client, close } = await modernClient(`${service.url}/mcp`);
    const subscription = await client.listen({ resourceSubscriptions: [uriOf(room)] });
    await service.stop();
    expect(await subscription.closed).toBe("graceful");
    await close();
  });

  test("keeps the subscriptions of a session over a restart, and notifies it of what may have changed", async () => {
    const data_dir = newDirectory();
    const port = await freePort();
    const before = await start({ data_dir, port });
    const [followed, left] = [await open(before.url, "Followed"), await open(before.url, "Left")];
    const { client, close } = await oldClientOver(
      new OldTransport(new URL(`${before.url}/mcp`), { reconnectionOptions: again_and_again }),
    );
    const received = new Notifications();
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, received.add);
    await client.subscribeResource({ uri: uriOf(left) });
    await speak(left, "Do you hear?");
    // Then its stream is open. The client reopens only one that was.
    expect(await received.next()).toBe(uriOf(left));
    await client.subscribeResource({ uri: uriOf(followed) });
    await client.unsubscribeResource({ uri: uriOf(left) });
    await speak(followed, "And here?");
    // Of the first room it may have heard twice: as the stream opened, and of the post.
    while ((await received.next()) !== uriOf(followed));
    await before.stop();

    const after = await start({ data_dir, port });
    // The client reopens its stream by itself.
    expect(await received.next()).toBe(uriOf(followed));
    await speak(left, "Nobody follows this.");
    await speak(followed, "Still there?");
    expect(await received.next()).toBe(uriOf(followed));
    expect(received.left).toBe(0);
    await close();
    await after.stop();
    removeDirectory(data_dir);
  });
});

test("subscribes and unsubscribes in a batch", async () => {
  const service = await startSource();
  const url = `${service.url}/mcp`;
  const room = await open(service.url, "In a batch");
  const begun = await ask(url, "initialize", { ...handshake, protocolVersion: "2025-03-26" });
  const session = { "mcp-session-id": begun.headers.get("mcp-session-id")! };
  const batch = async (method: string, uris: string[]) => {
    const messages = uris.map((uri, i) => message(method, { uri }, i));
    const { body } = await post<Rpc[]>(url, messages, session);
    return body
      .toSorted((one, two) => Number(one.id) - Number(two.id))
      .map(({ result, error }) => result ?? error!.code);
  };
  const nowhere = "meet://room/nowhere";
  expect(await batch("resources/subscribe", [uriOf(room), nowhere])).toEqual([{}, -32602]);
  expect(service.open().subscriptions).toBe(1);
  const stream = await readEvents(url, { accept: "text/event-stream", ...session });
  await speak(room, "Do you hear?");
  expect((await stream.next())?.data).toMatchObject({ method: updated, params: { uri: uriOf(room) } });
  await stream.close();
  expect(await batch("resources/unsubscribe", [uriOf(room), nowhere])).toEqual([{}, {}]);
  expect(service.open().subscriptions).toBe(0);
  await service.stop();
});

describe("subscription streams", () => {
  test("notify of every change of a room: a post, a redaction, the closing", async () => {
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
    await fetch(`${room.api}/posts/${String(spoken.body.id)}`, {
      method: "DELETE",
      headers: { "x-meet-key": room.host_key },
    });
    expect(await stream.next()).toMatchObject(one);
    await closeRoom(room);
    expect(await stream.next()).toMatchObject({
      data: { params: { _meta: { "io.modelcontextprotocol/subscriptionId": "a" } } },
    });
    await stream.close();
    await service.stop();
  });

  test("complete at once if nothing exists to listen to", async () => {
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

  test("send what a lost stream may have lost on the next one, and nothing of an unchanged room", async () => {
    const service = await startSource();
    const url = `${service.url}/mcp/meet`;
    const [busy, quiet] = [await open(service.url, "Busy"), await open(service.url, "Quiet")];
    const session = await beginSession(url);
    for (const room of [busy, quiet]) await ask(url, "resources/subscribe", { uri: uriOf(room) }, session);
    const headers = { accept: "text/event-stream", ...session };
    // Notified on the first stream, and published while there was none.
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

  test("replace the first stream of a session by its second", async () => {
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

  test("send one notification for ten thousand changes to a reader that stalls", async () => {
    const topics = new Topics();
    const updates = new PendingUpdates(topics);
    const stream = new UpdateStream(":\n\n");
    for (const name of ["a", "b"]) updates.subscribe(`meet://room/${name}`, `room:${name}`);
    updates.sendOn(stream);
    for (let i = 0; i < 10_000; i++) topics.publish(i % 2 === 0 ? "room:a" : null);
    const reader = stream.body.getReader();
    const text = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await text()).toBe(":\n\n");
    const received = await text();
    expect(received.match(/"uri":"[^"]+"/g)).toEqual(['"uri":"meet://room/a"', '"uri":"meet://room/b"']);
    const next = text();
    topics.publish("room:b");
    expect(await next).toContain("meet://room/b");
    updates.close();
    expect((await reader.read()).done).toBe(true);
    expect(topics.subscriptions).toBe(0);
  });

  test("send heartbeats", async () => {
    const service = await startSource();
    const room = await open(service.url, "Alive");
    const { headers, body } = modern("subscriptions/listen", following([uriOf(room)]));
    const response = await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    const reader = response.body!.getReader();
    const text = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await text()).toContain("acknowledged");
    service.clock.advance(web_limits.stream_heartbeat_seconds);
    expect(await text()).toBe(": still here\n\n");
    await reader.cancel();
    await service.stop();
  });
});
