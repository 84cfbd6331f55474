/** MCP sessions on two nodes of one database: each request of a session, each stream and each subscription goes to any of them. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { clients, modernClient, oldClient } from "../../support/mcp_clients.ts";
import { ask, beginSession, message, type Rpc } from "../../support/mcp_messages.ts";
import { claim } from "../../support/names.ts";
import { Notifications } from "../../support/notifications.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { get, post } from "../../support/http.ts";
import { open, speak, uriOf, type Opened } from "../../support/rooms.ts";
import { startBinary } from "../../support/service.ts";
import { startRoundRobin, type RoundRobin } from "../../support/round_robin.ts";
import { eventsOf, readEvents } from "../../support/sse.ts";

type Node = Awaited<ReturnType<typeof startBinary>>;
type Headers = Record<string, string>;

describe.skipIf(lacks_postgres)("sessions on two nodes", () => {
  let server: PostgresServer;
  let nodes: [Node, Node];
  let balancer: RoundRobin;
  const start = (settings: object = {}) => startBinary({ database: server.url, ...settings });
  beforeAll(async () => {
    server = await startPostgres();
    nodes = [await start(), await start()];
    balancer = startRoundRobin(nodes);
  });
  afterAll(async () => {
    await balancer.stop();
    await Promise.all(nodes.map((node) => node.stop()));
    await server.stop();
  });
  const mcp = (i: number): string => `${nodes[i]!.url}/mcp`;
  const at = (room: Opened, i: number): Opened => ({
    ...room,
    api: `${nodes[i]!.url}/api/meet/rooms/${room.slug}`,
  });

  test.each(clients)("answer each call of a client at another node: %s", async (_name, connect) => {
    const client = await connect(`${balancer.url}/mcp`);
    const room = await open(nodes[0].url, "Any node");
    for (let i = 0; i < 10; i++) {
      const body = `Number ${i}`;
      await client.call("meet_speak", { room: room.slug, name: "Ada", body });
      const answer = await client.call("meet_read", { room: room.slug, since: i });
      expect(answer.structuredContent?.posts).toMatchObject([{ body }]);
    }
    await client.close();
  });

  test("end a session everywhere before DELETE is answered", async () => {
    const session = await beginSession(mcp(0));
    for (const i of [0, 1]) expect((await ask(mcp(i), "tools/list", {}, session)).status).toBe(200);
    const stream = await readEvents(mcp(1), { accept: "text/event-stream", ...session });
    expect((await fetch(mcp(0), { method: "DELETE", headers: session })).status).toBe(204);
    for (const i of [1, 0]) expect((await ask(mcp(i), "tools/list", {}, session)).status).toBe(404);
    expect(await stream.next()).toBeNull();
  });

  test("notify a stream at one of what was subscribed to and written at either", async () => {
    const session = await beginSession(mcp(0));
    const stream = await readEvents(mcp(1), { accept: "text/event-stream", ...session });
    const rooms = [await open(nodes[0].url, "One"), await open(nodes[1].url, "Two")] as const;
    const updated = (room: Opened) => ({ data: { params: { uri: uriOf(room) } } });
    for (const [i, room] of rooms.entries()) {
      const { body } = await ask(mcp(i), "resources/subscribe", { uri: uriOf(room) }, session);
      expect(body.error).toBeUndefined();
      // The stream finds a subscription that was made elsewhere: the room may have changed meanwhile.
      if (i === 0) expect(await stream.next()).toMatchObject(updated(room));
      for (const node of [0, 1]) {
        await speak(at(room, node), "News");
        expect(await stream.next()).toMatchObject(updated(room));
      }
    }
    // Unsubscribed at a node without the stream: the next notification is that of the other room.
    await ask(mcp(0), "resources/unsubscribe", { uri: uriOf(rooms[0]) }, session);
    await speak(at(rooms[0], 0), "Nobody follows this.");
    await speak(at(rooms[1], 0), "Still followed");
    expect(await stream.next()).toMatchObject(updated(rooms[1]));
    await stream.close();
  });

  test("notify a client of SDK 1.x through a load balancer, also after its stream was cut", async () => {
    const { client, close } = await oldClient(`${balancer.url}/mcp`);
    const received = new Notifications();
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, received.add);
    const room = await open(nodes[0].url, "Balanced");
    await client.subscribeResource({ uri: uriOf(room) });
    for (const node of [0, 1, 0, 1]) {
      await speak(at(room, node), "Do you hear?");
      expect(await received.next()).toBe(uriOf(room));
      balancer.cut();
    }
    await close();
  });

  test("notify a listener of SDK 2.x of changes at either", async () => {
    const room = await open(nodes[0].url, "Listened");
    const { client, close } = await modernClient(`${balancer.url}/mcp`);
    const received = new Notifications();
    client.setNotificationHandler("notifications/resources/updated", received.add);
    const subscription = await client.listen({ resourceSubscriptions: [uriOf(room)] });
    for (const node of [0, 1]) {
      await speak(at(room, node), "Do you hear?");
      expect(await received.next()).toBe(uriOf(room));
    }
    await subscription.close();
    await close();
  });

  describe("a call whose connection is lost", () => {
    const headers = (session: Headers): Headers => ({
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      ...session,
    });

    /** Makes a call at node 0 that waits, and loses its connection. Returns the id of its first event. */
    async function lose(session: Headers, name: string, args: object, id: string | number): Promise<string> {
      const response = await fetch(mcp(0), {
        method: "POST",
        headers: headers(session),
        body: JSON.stringify(message("tools/call", { name, arguments: args }, id)),
      });
      const reader = response.body!.getReader();
      let seen = "";
      while (!/^id: \S+$/m.test(seen)) seen += new TextDecoder().decode((await reader.read()).value);
      await reader.cancel();
      return /^id: (\S+)$/m.exec(seen)![1]!;
    }

    /** Resumes the call at a node, and returns its answer, which has to be the only message. */
    async function resume<Result>(i: number, last_event_id: string, session: Headers): Promise<Rpc<Result>> {
      const { "content-type": _, ...others } = headers(session);
      const answer = await fetch(mcp(i), {
        headers: { ...others, accept: "text/event-stream", "last-event-id": last_event_id },
      });
      const messages: string[] = [];
      for await (const { data } of eventsOf(answer)) if (data !== "") messages.push(data);
      expect(messages).toHaveLength(1);
      return JSON.parse(messages[0]!) as Rpc<Result>;
    }

    interface News {
      structuredContent: { posts: Record<string, { body: string }[]> & { body: string }[] };
    }

    test("is resumed at the other node, and misses nothing that was said meanwhile", async () => {
      const session = await beginSession(mcp(0));
      const room = await open(nodes[0].url, "Lost");
      await speak(at(room, 0), "Before");
      const args = { rooms: { [room.slug]: "now" }, wait_seconds: 50 };
      const last = await lose(session, "wait", args, "the call");
      await speak(at(room, 0), "While you were away");
      const { id, result } = await resume<News>(1, last, session);
      expect(id).toBe("the call");
      expect(result!.structuredContent.posts[room.slug]).toMatchObject([{ body: "While you were away" }]);
    });

    test("posts once, and waits on for replies at the other node", async () => {
      const session = await beginSession(mcp(0));
      const room = await open(nodes[0].url, "Posted once");
      const args = { room: room.slug, name: "Eve", body: "Anybody?", wait_seconds: 50 };
      const last = await lose(session, "meet_speak", args, 7);
      const resumed = resume<{ structuredContent: { replies: object[] } }>(1, last, session);
      await get(`${at(room, 1).api}?since=0&wait_seconds=50`);
      await speak(at(room, 1), "Here");
      expect((await resumed).result!.structuredContent.replies).toMatchObject([{ body: "Here" }]);
      const { body } = await get<{ posts: { body: string }[] }>(
        `${nodes[0].url}/api/meet/rooms/${room.slug}`,
      );
      expect(body.posts.map((one) => one.body)).toEqual(["Anybody?", "Here"]);
    });

    test("needs its key again at the other node", async () => {
      const session = await beginSession(mcp(0));
      const ada = await claim(nodes[0].url, "sessions-ada");
      const room = await open(nodes[0].url, "Private");
      const last = await lose(session, "mailbox_read", { wait_seconds: 50, key: ada.key }, 3);
      await post(`${nodes[0].url}/api/meet/rooms/${room.slug}/posts`, { name: "Bob", body: `@${ada.name}` });
      expect((await resume(1, last, session)).error?.message).toContain("not available any more");
      const { result } = await resume<{ structuredContent: { notes: object[] } }>(1, last, {
        ...session,
        ...ada.pair,
      });
      expect(result!.structuredContent.notes).toHaveLength(1);
    });

    test("is not made again for another session, or from an id that was changed", async () => {
      const session = await beginSession(mcp(0));
      const room = await open(nodes[0].url, "Forged");
      const args = { room: room.slug, name: "Eve", body: "Once", wait_seconds: 1 };
      const last = await lose(session, "meet_speak", args, 9);
      const other = await beginSession(mcp(0));
      expect((await resume(1, last, other)).error?.message).toContain("not available any more");
      const code = last.slice(last.indexOf("."));
      const forged = {
        id: 9,
        name: "meet_speak",
        arguments: { ...args, body: "Twice" },
        made_ms: Date.now(),
      };
      const text = Buffer.from(JSON.stringify(forged)).toString("base64url");
      const answer = await resume(1, `${"0".repeat(16)}-1-${text}${code}`, session);
      expect(answer.error?.message).toContain("not available any more");
      const { body } = await get<{ posts: { body: string }[] }>(`${room.api}?since=0&wait_seconds=50`);
      expect(body.posts.map((one) => one.body)).toEqual(["Once"]);
    });
  });

  test("serve a client on when the node of its session is killed", async () => {
    const victim = await start();
    const pair = startRoundRobin([victim, nodes[1]]);
    const { client, transport } = await oldClient(`${pair.url}/mcp`);
    const received = new Notifications();
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, received.add);
    const room = await open(nodes[1].url, "Survivor");
    await client.subscribeResource({ uri: uriOf(room) });
    const session_id = transport.sessionId;
    const waiting = client.callTool({
      name: "meet_read",
      arguments: { room: room.slug, since: 0, wait_seconds: 50 },
    });
    await pair.sent("POST", 4);
    victim.process.kill("SIGKILL");
    await victim.process.exited;
    await speak(at(room, 1), "Still here");
    expect(await received.next()).toBe(uriOf(room));
    expect((await waiting).structuredContent).toMatchObject({ posts: [{ body: "Still here" }] });
    expect(transport.sessionId).toBe(session_id!);
    await client.close();
    await pair.stop();
    await victim.stop();
  });
});
