/** Streams and waits that are open end when the key that opened them is replaced or revoked. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { OpenedRoom } from "../../src/api/rooms/rooms.ts";
import { orThrow } from "../../src/client/client.ts";
import { clientOf } from "../support/client.ts";
import { get } from "../support/http.ts";
import { ask, handshake, modern } from "../support/mcp_messages.ts";
import { claim, type Holder } from "../support/names.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { readEvents, type EventReader } from "../support/sse.ts";

let service: SourceService;
let room: OpenedRoom;
let count = 0;

const mcp = () => `${service.url}/mcp`;

/** Begins to wait with a key. Resolves, once the wait has begun, to a function that returns how it ended. */
type Begin = (pair: Holder["pair"]) => Promise<() => Promise<unknown>>;

const stream =
  (open: (pair: Holder["pair"]) => Promise<EventReader>): Begin =>
  async (pair) => {
    const reader = await open(pair);
    expect(reader.response.status).toBe(200);
    return async () => {
      while ((await reader.next()) !== null);
      return "the end of the stream";
    };
  };

const wait =
  (call: (pair: Holder["pair"]) => Promise<unknown>): Begin =>
  async (pair) => {
    const before = service.open().waits;
    const answer = call(pair);
    const answered = answer.then((early) => Promise.reject(new Error(JSON.stringify(early))));
    const waiting = (async () => {
      while (service.open().waits === before) await Bun.sleep(1);
    })();
    await Promise.race([waiting, answered]);
    answered.catch(() => {});
    return () => answer;
  };

const refused = { status: 401, body: { code: "unknown_credential" } };
const refused_tool = { body: { result: { isError: true } } };
const tool = (name: string, args: object, pair: Holder["pair"]) =>
  ask(mcp(), "tools/call", { name, arguments: { wait_seconds: 50, ...args } }, pair);

const kinds: [string, Begin, unknown][] = [
  ["the stream of a room", stream((pair) => readEvents(`${room.api}/stream`, pair)), "the end of the stream"],
  [
    "the stream of a mailbox",
    stream((pair) => readEvents(`${service.url}/api/mailbox/stream`, pair)),
    "the end of the stream",
  ],
  [
    "the stream of an MCP session",
    stream(async (pair) => {
      const { headers } = await ask(mcp(), "initialize", handshake, pair);
      const session = { "mcp-session-id": headers.get("mcp-session-id")! };
      return readEvents(mcp(), { ...pair, ...session, accept: "text/event-stream" });
    }),
    "the end of the stream",
  ],
  [
    "a stream of subscriptions/listen",
    stream((pair) => {
      const notifications = { resourceSubscriptions: [`meet://room/${room.slug}`] };
      const { headers, body } = modern("subscriptions/listen", { notifications });
      return readEvents(mcp(), { ...headers, ...pair }, JSON.stringify(body));
    }),
    "the end of the stream",
  ],
  [
    "a long poll of a room",
    wait((pair) => get(`${room.api}?since=2100-01-01T00:00:00Z&wait_seconds=50`, pair)),
    refused,
  ],
  ["a wait for news", wait((pair) => get(`${service.url}/api/wait?rooms=now`, pair)), refused],
  ["a tool that waits for news", wait((pair) => tool("wait", { new_rooms: "now" }, pair)), refused_tool],
  ["a tool that waits for notes", wait((pair) => tool("mailbox_read", {}, pair)), refused_tool],
];

/** How a key can be replaced. */
const changes: [string, (ada: Holder) => Promise<{ status: number }>][] = [
  ["rotated", (ada) => clientOf(service.url, ada).post("/api/name/rotate")],
  [
    "recovered",
    ({ name, recovery_code }) =>
      clientOf(service.url).post("/api/name/recover", { body: { name, recovery_code } }),
  ],
  ["revoked", ({ key }) => clientOf(service.url).post("/api/name/revoke", { body: { key } })],
];

describe.each(["anyone", "members"] as const)("under --read %s", (read) => {
  beforeAll(async () => {
    service = await startSource({ read });
    const host = await claim(service.url, "Carol");
    const body = { goal: "Replaced keys", name: "Carol" };
    room = await orThrow(clientOf(service.url, host).post("/api/meet/rooms", { body }));
  });
  afterAll(() => service.stop());

  describe.each(kinds)("%s", (_kind, begin, end) => {
    test.each(changes)("ends when its key is %s, and that of another name does not", async (_how, change) => {
      const [ada, bob] = [
        await claim(service.url, `Ada ${++count}`),
        await claim(service.url, `Bob ${count}`),
      ];
      const ended = await begin(ada.pair);
      expect((await change(bob)).status).toBe(200);
      const first = await Promise.race([ended(), Bun.sleep(20).then(() => "still open")]);
      expect(first).toBe("still open");
      expect((await change(ada)).status).toBe(200);
      const found = await ended();
      if (typeof end === "string") expect(found).toBe(end);
      else expect(found).toMatchObject(end as object);
    });
  });
});
