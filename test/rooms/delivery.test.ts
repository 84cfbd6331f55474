/** A post by its number, and what became of it, which its author alone sees: for each mention, and for the author that it replies to. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Delivered, PostDelivery } from "../../src/api/rooms/delivery.ts";
import type { Post, RoomRead } from "../../src/api/rooms/rooms.ts";
import { canonicalName } from "../../src/names/canonical.ts";
import { asOwner } from "../support/admin.ts";
import { call, get, post, send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { letIn } from "../support/oauth.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { signedIn } from "../support/sign_in.ts";
import { readEvents } from "../support/sse.ts";
import { stored } from "../support/stored.ts";
import { callTool } from "../support/tools.ts";

let service: SourceService;
let url: string;
let ada: Holder;
let claimed = 0;
const somebody = (): Promise<Holder> => claim(url, `reader-${++claimed}`);
beforeAll(async () => {
  service = await startSource({ rooms_per_hour_by_address: 1_000, oauth: true });
  url = service.url;
  ada = await claim(url, "adaline");
});
afterAll(() => service.stop());

const say = async ({ api }: Opened, who: Holder | null, body: string, more: object = {}): Promise<Post> => {
  const answer = await post<Post>(`${api}/posts`, { name: who?.name ?? "x", body, ...more }, who?.pair);
  expect(answer.status).toBe(201);
  return answer.body;
};
const deliveryOf = (room: Opened, ref: string | number, headers: Record<string, string> = ada.pair) =>
  get<PostDelivery>(`${room.api}/posts/${ref}?fields=delivery`, headers);
/** What became of a post of Ada's. */
async function fate(room: Opened, n: number): Promise<Delivered[]> {
  const { status, body } = await deliveryOf(room, n);
  expect(status).toBe(200);
  expect(body.n).toBe(n);
  return body.delivery;
}
const stateOf = async (room: Opened, n: number): Promise<Delivered> => (await fate(room, n))[0]!;
const ack = (who: Holder, through: number) => post(`${url}/api/mailbox/ack`, { through }, who.pair);
const act = (name: string, what: string) =>
  asOwner(service, "POST", `/api/admin/names/${name}/${what}`, { reason: "For the test" });
/** Resolves when the delivery of a post begins like this. */
async function until(room: Opened, n: number, state: Delivered["state"]): Promise<void> {
  while ((await stateOf(room, n)).state !== state) await service.clock.turn();
}

describe("a post by its number", () => {
  test("or its id is the post as its room shows it, with a validator", async () => {
    const room = await open(url, "One post");
    await say(room, null, "first");
    const { id } = await say(room, ada, "second, for @nobody-yet", { in_reply_to: 1 });
    const { posts, treat_as } = (await get<RoomRead>(room.api)).body;
    for (const ref of [2, "%232", id, id.toUpperCase()]) {
      const answer = await get(`${room.api}/posts/${ref}`);
      expect(answer.body).toEqual({ ...posts[1], treat_as });
      expect(answer.headers.get("cache-control")).toBe("no-cache");
      const etag = answer.headers.get("etag")!;
      expect((await send("GET", `${room.api}/posts/${ref}`, { "if-none-match": etag })).status).toBe(304);
    }
    expect((await get(`${room.api}/posts/2`)).body).not.toHaveProperty("salt");
  });

  test("is a tombstone as soon as it is redacted, also from a cache", async () => {
    const room = await open(url, "One post");
    await say(room, null, "secret");
    const before = await get(`${room.api}/posts/1`);
    await call("DELETE", `${room.api}/posts/1`, undefined, { "x-meet-key": room.host_key });
    const after = await get(`${room.api}/posts/1`);
    expect(after.body).toMatchObject({ body: null, redacted: "host" });
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
  });

  test("of an unlisted room is not to be indexed", async () => {
    const room = await open(url, "Quietly", "unlisted");
    await say(room, null, "here");
    expect((await get(`${room.api}/posts/1`)).headers.get("x-robots-tag")).toBe("noindex");
  });

  test("is refused if there is none, with the reason", async () => {
    const room = await open(url, "One post");
    for (let n = 1; n <= 3; n++) await say(room, ada, `${n}`);
    for (const fields of ["", "?fields=delivery"]) {
      const read = (ref: number | string) => get(`${room.api}/posts/${ref}${fields}`, ada.pair);
      expect((await read(9)).body.code).toBe("post_not_found");
      expect((await read("seven")).body.code).toBe("post_not_found");
      expect((await get(`${url}/api/meet/rooms/none/posts/1${fields}`, ada.pair)).body.code).toBe(
        "room_not_found",
      );
    }
    await asOwner(service, "POST", "/api/admin/retention?posts_by_room=1");
    for (const fields of ["", "?fields=delivery"]) {
      const { status, body } = await get(`${room.api}/posts/1${fields}`, ada.pair);
      expect([status, body.code]).toEqual([410, "post_removed"]);
    }
    expect((await get(`${room.api}/posts/3?fields=lean`)).body.code).toBe("invalid_fields");
  });
});

describe("what became of a mention", () => {
  test("goes from stored over fetched, waiting and read to answered", async () => {
    const bob = await somebody();
    const room = await open(url, "A whole life");
    const { n } = await say(room, ada, `@${bob.name} please look`);
    expect(await fate(room, n)).toEqual([{ name: bob.name, state: "stored" }]);
    const mailbox = (await get<{ next_since: number }>(`${url}/api/mailbox`, bob.pair)).body;
    expect(await fate(room, n)).toEqual([{ name: bob.name, state: "fetched" }]);
    const stream = await readEvents(`${room.api}/stream`, bob.pair);
    await until(room, n, "waiting");
    await stream.close();
    await until(room, n, "fetched");
    const waiting = get(`${url}/api/mailbox?since=${mailbox.next_since}&wait_seconds=50`, bob.pair);
    await until(room, n, "waiting");
    await ack(bob, mailbox.next_since);
    expect(await fate(room, n)).toEqual([{ name: bob.name, state: "read" }]);
    await say(room, null, `@${bob.name} one more`);
    await waiting;
    await say(room, null, "Not him", { in_reply_to: n });
    expect(await fate(room, n)).toEqual([{ name: bob.name, state: "read" }]);
    const answer = await say(room, bob, "Yes", { in_reply_to: n });
    await say(room, bob, "And yes", { in_reply_to: n });
    expect(await fate(room, n)).toEqual([{ name: bob.name, state: "answered", answered_by: answer.n }]);
  });

  test("is not waiting while the name waits for another room alone", async () => {
    const bob = await somebody();
    const [room, other] = [await open(url, "Here"), await open(url, "Elsewhere")];
    const { n } = await say(room, ada, `@${bob.name}`);
    const stream = await readEvents(`${other.api}/stream`, bob.pair);
    while ((await get<{ names: object[] }>(`${other.api}/present`)).body.names.length === 0)
      await service.clock.turn();
    expect((await stateOf(room, n)).state).toBe("stored");
    await stream.close();
  });

  test("has an entry for each name in order, and for the author that the post replies to", async () => {
    const [bob, lin, eve] = [await somebody(), await somebody(), await somebody()];
    const room = await open(url, "Many");
    const question = await say(room, lin, "Who?");
    const body = `@no-such-agent @${bob.name} @${ada.name} and @${bob.name.toUpperCase()}`;
    expect(await fate(room, (await say(room, ada, body, { in_reply_to: question.n })).n)).toEqual([
      { name: "no-such-agent", state: "unclaimed" },
      { name: bob.name, state: "stored" },
      { name: ada.name, state: "not_notified" },
      { name: lin.name, state: "stored", reply: true },
    ]);
    const both = await say(room, ada, `@${eve.name} @${lin.name}`, { in_reply_to: question.n });
    expect(await fate(room, both.n)).toEqual([
      { name: eve.name, state: "stored" },
      { name: lin.name, state: "stored", reply: true },
    ]);
    const own = await say(room, ada, "Myself", { in_reply_to: both.n });
    expect(await fate(room, own.n)).toEqual([]);
    const stranger = await say(room, null, "?");
    expect(await fate(room, (await say(room, ada, "!", { in_reply_to: stranger.n })).n)).toEqual([]);
  });

  test("stays unclaimed if somebody claims the name later", async () => {
    const room = await open(url, "Too early");
    const { n } = await say(room, ada, "@latecomer");
    service.clock.advance(60);
    const late = await claim(url, "latecomer");
    await say(room, late, "Here", { in_reply_to: n });
    expect(await fate(room, n)).toEqual([{ name: "latecomer", state: "unclaimed" }]);
  });

  test("is not shown of a released name, and not mixed with the acts of its next holder", async () => {
    const gone = await claim(url, "passing");
    const room = await open(url, "Released");
    const question = await say(room, gone, "Who?");
    const { n } = await say(room, ada, "@passing", { in_reply_to: question.n });
    await say(room, gone, "Me", { in_reply_to: n });
    expect((await stateOf(room, n)).state).toBe("answered");
    service.clock.advance(60);
    await act("passing", "release");
    expect(await fate(room, n)).toEqual([{ name: "passing", state: "unclaimed" }]);
    const next = await claim(url, "passing");
    await say(room, next, "Not me", { in_reply_to: n });
    expect(await fate(room, n)).toEqual([{ name: "passing", state: "unclaimed" }]);
    const reply = await say(room, ada, "Hm", { in_reply_to: question.n });
    expect(await fate(room, reply.n)).toEqual([{ name: "passing", state: "unclaimed", reply: true }]);
  });

  test("is withheld of a name that turned it off and of a suspended one, but for its answer", async () => {
    const [off, bad] = [await somebody(), await somebody()];
    const room = await open(url, "Withheld");
    const { n } = await say(room, ada, `@${off.name} @${bad.name}`);
    await call("PUT", `${url}/api/mailbox/delivery`, { shown: false }, off.pair);
    await act(bad.name, "suspend");
    const withheld = [
      { name: off.name, state: "withheld" },
      { name: bad.name, state: "withheld" },
    ];
    expect(await fate(room, n)).toEqual(withheld as Delivered[]);
    await get(`${url}/api/mailbox`, off.pair);
    await ack(off, 1);
    const stream = await readEvents(`${room.api}/stream`, off.pair);
    expect(await fate(room, n)).toEqual(withheld as Delivered[]);
    await stream.close();
    await call("DELETE", `${url}/api/mailbox`, undefined, off.pair);
    expect(await fate(room, n)).toEqual(withheld as Delivered[]);
    await say(room, off, "Yes", { in_reply_to: n });
    expect(await fate(room, n)).toEqual([
      { name: off.name, state: "answered", answered_by: 2 },
      { name: bad.name, state: "withheld" },
    ]);
  });

  test("is not_notified once its note is cleared or dropped", async () => {
    const [bob, lin] = [await somebody(), await somebody()];
    const room = await open(url, "Dropped");
    const { n } = await say(room, ada, `@${bob.name} @${lin.name}`);
    await call("DELETE", `${url}/api/mailbox`, undefined, bob.pair);
    await stored(service.directory, "DELETE FROM notes WHERE owner = $1", canonicalName(lin.name));
    expect((await fate(room, n)).map(({ state }) => state)).toEqual(["not_notified", "not_notified"]);
  });

  test("is not_notified in a quiet post, whatever the name does but answer", async () => {
    const bob = await somebody();
    const room = await open(url, "Quiet");
    await say(room, ada, `@${bob.name} 1`);
    const { n } = await say(room, ada, `@${bob.name} thanks`, { quiet: true });
    for (let i = 3; i <= 5; i++) await say(room, ada, `@${bob.name} ${i}`);
    await ack(bob, 2);
    const stream = await readEvents(`${room.api}/stream`, bob.pair);
    expect(await fate(room, n)).toEqual([{ name: bob.name, state: "not_notified" }]);
    await stream.close();
    const { n: answered_by } = await say(room, bob, "Welcome", { in_reply_to: n });
    expect(await fate(room, n)).toEqual([{ name: bob.name, state: "answered", answered_by }]);
  });

  test("of a redacted post is known by its reply alone: the text that mentioned names is gone", async () => {
    const [bob, lin] = [await somebody(), await somebody()];
    const room = await open(url, "Redacted");
    const question = await say(room, lin, "Who?");
    const { n } = await say(room, ada, `@${bob.name}`, { in_reply_to: question.n });
    await call("DELETE", `${room.api}/posts/${n}`, undefined, ada.pair);
    expect(await fate(room, n)).toEqual([{ name: lin.name, state: "stored", reply: true }]);
  });

  test("finds a reply only among the next 1,000 posts", async () => {
    const bob = await somebody();
    const room = await open(url, "Long");
    const { n } = await say(room, ada, `@${bob.name}`);
    for (let i = 0; i < 10; i++)
      await Promise.all(Array.from({ length: 100 }, () => say(room, null, "meanwhile")));
    await say(room, bob, "Late", { in_reply_to: n });
    expect((await stateOf(room, n)).state).toBe("stored");
  });
});

describe("in a folded note", () => {
  const states = async (room: Opened, numbers: number[]): Promise<string[]> =>
    Promise.all(numbers.map(async (n) => (await stateOf(room, n)).state));

  test("each mention has its own state, before and after acknowledgements of a part", async () => {
    const bob = await somebody();
    const room = await open(url, "Folded");
    for (let n = 1; n <= 4; n++) await say(room, ada, `@${bob.name} ${n}`);
    const numbers = [1, 2, 3, 4];
    await get(`${url}/api/mailbox`, bob.pair);
    await say(room, ada, `@${bob.name} 5`);
    expect(await states(room, [...numbers, 5])).toEqual([...Array<string>(4).fill("fetched"), "stored"]);
    await ack(bob, 2);
    expect(await states(room, [...numbers, 5])).toEqual(["read", "read", "fetched", "fetched", "stored"]);
    await say(room, ada, `@${bob.name} 6`);
    await ack(bob, 3);
    const after = ["read", "read", "read", "fetched", "stored", "stored"];
    expect(await states(room, [...numbers, 5, 6])).toEqual(after);
    await ack(bob, 5);
    expect(await states(room, [...numbers, 5, 6])).toEqual([...Array<string>(5).fill("read"), "stored"]);
    await ack(bob, 6);
    await say(room, ada, `@${bob.name} 7`);
    expect(await states(room, [...numbers, 5, 6, 7])).toEqual([...Array<string>(6).fill("read"), "stored"]);
  });

  test("a mention that was cleared does not count as read because a later one is read in part", async () => {
    const bob = await somebody();
    const room = await open(url, "Cleared");
    await say(room, ada, `@${bob.name} 1`);
    await call("DELETE", `${url}/api/mailbox`, undefined, bob.pair);
    for (let n = 2; n <= 4; n++) await say(room, ada, `@${bob.name} ${n}`);
    await ack(bob, 3);
    expect(await states(room, [1, 2, 3, 4])).toEqual(["not_notified", "read", "read", "stored"]);
  });

  test("of more than 100 posts, the earlier ones count as stored until the note is read", async () => {
    const bob = await somebody();
    const room = await open(url, "Very many");
    for (let n = 1; n <= 120; n++) await say(room, ada, `@${bob.name} ${n}`);
    await ack(bob, 5);
    expect(await states(room, [1, 20, 21, 120])).toEqual(["stored", "stored", "stored", "stored"]);
    await ack(bob, 50);
    expect(await states(room, [1, 50, 51])).toEqual(["read", "read", "stored"]);
    await ack(bob, 120);
    expect(await states(room, [1, 60, 120])).toEqual(["read", "read", "read"]);
  });

  test("nothing of a note shows from where it was read in part", async () => {
    const bob = await somebody();
    const room = await open(url, "Nothing more");
    for (let n = 1; n <= 4; n++) await say(room, ada, `@${bob.name} ${n}`);
    for (const through of [2, 3]) {
      await ack(bob, through);
      for (const fields of ["", "?fields=lean"])
        expect(JSON.stringify((await get(`${url}/api/mailbox${fields}`, bob.pair)).body)).not.toContain(
          "read_from",
        );
    }
  });
});

describe("a mention is fetched", () => {
  const ways: [string, (bob: Holder, room: Opened) => Promise<unknown>][] = [
    ["GET /api/mailbox", (bob) => get(`${url}/api/mailbox`, bob.pair)],
    ["the lean form", (bob) => get(`${url}/api/mailbox?fields=lean`, bob.pair)],
    ["a key alone", (bob) => get(`${url}/api/mailbox`, bob.bearer)],
    ["mailbox_read", (bob) => callTool(url, "mailbox_read", {}, bob.pair)],
    ["wait", (bob) => callTool(url, "wait", { mailbox: 0 }, bob.pair)],
    ["GET /api/wait", (bob) => get(`${url}/api/wait?mailbox=unread`, bob.pair)],
    ["a wait with its room", (bob, { slug }) => get(`${url}/api/wait?room=${slug}:0&mailbox=0`, bob.pair)],
    ["the page of the mailbox", (bob) => send("GET", `${url}/me/mailbox`, bob.pair)],
    ["the page of what is new", (bob) => send("GET", `${url}/me`, bob.pair)],
    [
      "a stream",
      async (bob) => {
        const stream = await readEvents(`${url}/api/mailbox/stream?since=0`, bob.pair);
        await stream.next();
        await stream.close();
      },
    ],
  ];
  test.each(ways)("by %s", async (_way, read) => {
    const bob = await somebody();
    const room = await open(url, "Fetched");
    const { n } = await say(room, ada, `@${bob.name}`);
    await read(bob, room);
    await until(room, n, "fetched");
  });

  const others: [string, (bob: Holder, room: Opened) => Promise<unknown>][] = [
    ["the number of notes", (bob) => get(`${url}/api/mailbox?count`, bob.pair)],
    ["notes after it", (bob) => get(`${url}/api/mailbox?since=1`, bob.pair)],
    ["an export of the name", (bob) => send("GET", `${url}/api/name/export`, bob.pair)],
    ["the room", (bob, room) => get(room.api, bob.pair)],
    ["the mailbox of another", () => get(`${url}/api/mailbox`, ada.pair)],
  ];
  test.each(others)("not by %s", async (_way, read) => {
    const bob = await somebody();
    const room = await open(url, "Not fetched");
    const { n } = await say(room, ada, `@${bob.name}`);
    await read(bob, room);
    expect((await stateOf(room, n)).state).toBe("stored");
  });

  test("only as far as a cut answer goes", async () => {
    const bob = await somebody();
    const rooms = [await open(url, "One"), await open(url, "Two")];
    for (const room of rooms) await say(room, ada, `@${bob.name} ${"word ".repeat(50)}`);
    await callTool(url, "mailbox_read", { max_tokens: 50 }, bob.pair);
    expect([(await stateOf(rooms[0]!, 1)).state, (await stateOf(rooms[1]!, 1)).state]).toEqual([
      "fetched",
      "stored",
    ]);
  });
});

describe("nobody else sees it", () => {
  test("whoever calls, with whatever key", async () => {
    const bob = await somebody();
    const room = await open(url, "Private");
    const own = await say(room, ada, `@${bob.name}`);
    await say(room, null, `@${bob.name}`);
    const callers: [string, Record<string, string>, number, string][] = [
      ["nobody", {}, 401, "credential_required"],
      ["the host key", { "x-meet-key": room.host_key }, 401, "credential_required"],
      ["a name without its key", { "x-wf-name": "adaline" }, 401, "unknown_credential"],
      ["a wrong key", { "x-wf-name": "adaline", "x-wf-key": bob.key }, 401, "unknown_credential"],
      ["the name that is mentioned", bob.pair, 403, "not_your_post"],
      [
        "another, who has the host key, too",
        { ...bob.pair, "x-meet-key": room.host_key },
        403,
        "not_your_post",
      ],
    ];
    for (const [who, headers, status, code] of callers) {
      const answer = await deliveryOf(room, own.n, headers);
      expect([who, answer.status, (answer.body as unknown as { code: string }).code]).toEqual([
        who,
        status,
        code,
      ]);
      expect(JSON.stringify(answer.body)).not.toContain("stored");
    }
    for (const headers of [ada.pair, ada.bearer, bob.pair]) {
      const answer = await deliveryOf(room, 2, headers);
      expect([answer.status, (answer.body as unknown as { code: string }).code]).toEqual([
        403,
        "not_your_post",
      ]);
    }
    const answer = await deliveryOf(room, own.n, ada.bearer);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    // The post itself has none of it, for its author, too.
    expect(JSON.stringify((await get(`${room.api}/posts/1`, ada.pair)).body)).not.toMatch(/delivery|stored/);
  });

  test("but its author with any credential: a session, or the access token of a program", async () => {
    const bob = await somebody();
    const room = await open(url, "Any credential");
    const { n } = await say(room, ada, `@${bob.name}`);
    for (const [who, status] of [
      [ada, 200],
      [bob, 403],
    ] as const) {
      const browser = await signedIn(url, who);
      const { access_token } = await letIn(url, browser);
      const sent: Record<string, string>[] = [
        { cookie: browser.cookie },
        { authorization: `Bearer ${access_token}` },
      ];
      for (const headers of sent) {
        const answer = await deliveryOf(room, n, headers);
        expect(answer.status).toBe(status);
        expect(answer.headers.get("cache-control")).toContain("no-store");
      }
    }
  });

  test("nor the next holder of the author's name", async () => {
    const first = await claim(url, "changing");
    const room = await open(url, "Changing");
    const said = await say(room, first, "@adaline");
    service.clock.advance(60);
    await act("changing", "release");
    const next = await claim(url, "changing");
    expect((await deliveryOf(room, said.n, first.pair)).status).toBe(401);
    expect((await deliveryOf(room, said.n, next.pair)).status).toBe(403);
  });

  test("nor a suspended author", async () => {
    const who = await somebody();
    const room = await open(url, "Suspended");
    const said = await say(room, who, "@adaline");
    await act(who.name, "suspend");
    expect((await deliveryOf(room, said.n, who.pair)).status).toBe(403);
  });
});
