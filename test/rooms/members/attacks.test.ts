/**
 * Attacks on the secrecy of private rooms: other manners to ask, other spellings of the slug, ids of private posts elsewhere, sessions,
 * caches that members have filled, an instance for members only.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { get, post, send } from "../../support/http.ts";
import { beginSession, listen, message } from "../../support/mcp_messages.ts";
import type { Holder } from "../../support/names.ts";
import {
  answerTo,
  claimCast,
  compared,
  differences,
  type Cast,
  type Compared,
} from "../../support/private_rooms.ts";
import { open, uriOf, type Opened } from "../../support/rooms.ts";
import { randomFrom } from "../../support/seed.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { readEvents } from "../../support/sse.ts";
import { http_ways, type Sent, type Target } from "../../support/ways.ts";

const canary = "zqattacked";
const random = randomFrom(2);
let service: SourceService;
let cast: Cast;
let rooms: Compared;

beforeAll(async () => {
  service = await startSource();
  cast = await claimCast(service.url, "attacked");
  rooms = await compared(service, cast, canary, random);
}, 60_000);
afterAll(() => service.stop());

const reading = http_ways.filter(({ of }) => of.startsWith("GET "));
const ofRoom = reading.filter(({ of }) => of.includes(":room"));

const outsiders = (): [who: string, headers: Record<string, string>][] => [
  ["nobody", {}],
  ["a former member", cast.former.pair],
];

/** Headers and methods with which an answer could say more. */
const manners: [what: string, Partial<Sent>][] = [
  ["HEAD", { method: "HEAD" }],
  ["OPTIONS", { method: "OPTIONS", headers: { origin: "https://elsewhere.example" } }],
  ["any ETag", { headers: { "if-none-match": "*" } }],
  ["a date", { headers: { "if-modified-since": "Sat, 01 Jan 2050 00:00:00 GMT" } }],
  ["If-Match", { headers: { "if-match": "*" } }],
  ["a range", { headers: { range: "bytes=0-10" } }],
  ["a wait", { headers: { prefer: "wait=10" } }],
  ["HTML", { headers: { accept: "text/html" } }],
  ["Markdown", { headers: { accept: "text/markdown" } }],
  ["JSON", { headers: { accept: "application/json" } }],
  ["a stream", { headers: { accept: "text/event-stream", "last-event-id": "2020-01-01T00:00:00.000Z" } }],
  ["compression", { headers: { "accept-encoding": "zstd, br, gzip" } }],
  ["another origin", { headers: { origin: "https://elsewhere.example" } }],
  ["a request id", { headers: { "x-request-id": "00000000-0000-4000-8000-000000000000" } }],
];

test("the manner of a question makes no difference, also after members have filled the caches", async () => {
  for (const way of reading) {
    const to = { ...rooms.there, name: cast.member.name };
    for (const accept of ["text/html", "application/json", "text/markdown"])
      await answerTo(service.url, { ...way.send(to), headers: { accept } }, cast.member.pair, to, true);
  }
  const found: string[] = [];
  for (const [who, headers] of outsiders()) {
    for (const [what, manner] of manners) {
      const requests = (to: Target) =>
        ofRoom.map((way): [string, Sent] => {
          const sent = way.send(to);
          return [
            `${who}, ${what}: ${way.of}`,
            { ...sent, ...manner, headers: { ...sent.headers, ...manner.headers } },
          ];
        });
      found.push(...(await differences(service.url, rooms, requests, () => headers, canary)));
    }
  }
  expect(found).toEqual([]);
}, 60_000);

test("a refusal before there is a route is stored by no cache either", async () => {
  const address = `${service.url}/api/meet/rooms/${rooms.there.slug}`;
  for (const [refused, status] of [
    [await get(`${address}?key=${cast.member.key}`), 422],
    [await send("GET", `${address}/%zz`), 400],
    [await get(address, { origin: "https://elsewhere.example" }), 403],
  ] as const) {
    expect(refused.status).toBe(status);
    expect(refused.headers.get("cache-control")).toBe("private, no-store");
  }
});

test("the ETag that a member got is no proof that there is a room", async () => {
  const found: string[] = [];
  const to = { ...rooms.there, name: cast.member.name };
  for (const way of ofRoom) {
    const member = await answerTo(service.url, way.send(to), cast.member.pair, to, true);
    const etag = member.headers.get("etag");
    if (etag === null) continue;
    for (const [who, headers] of outsiders()) {
      const requests = (to: Target) => [[`${who}: ${way.of}`, way.send(to)] satisfies [string, Sent]];
      const known = { ...headers, "if-none-match": etag };
      found.push(...(await differences(service.url, rooms, requests, () => known, canary)));
    }
  }
  expect(found).toEqual([]);
});

/** Other spellings of a slug in a path, with what they spell. */
const spellings: [what: string, (slug: string) => string][] = [
  ["capitals", (slug) => slug.toUpperCase()],
  ["mixed case", (slug) => slug.replace("private", "Private")],
  ["an escaped letter", (slug) => slug.replace("p", "%70")],
  ["escaped hyphens", (slug) => slug.replace("--", "%2D%2d")],
  ["an escaped #", (slug) => `%23${slug}`],
  ["an escaped # and capitals", (slug) => `%23${slug.toUpperCase()}`],
  ["a slash at the end", (slug) => `${slug}/`],
  ["an escaped slash", (slug) => `${slug}%2F`],
  ["a dot before", (slug) => `./${slug}`],
  ["two slashes", (slug) => `/${slug}`],
  [".md", (slug) => `${slug}.md`],
  [".MD", (slug) => `${slug}.MD`],
  [".json", (slug) => `${slug}.json`],
  [".txt", (slug) => `${slug}.txt`],
  ["escaped twice", (slug) => slug.replace("p", "%2570")],
  ["a wrong escape", (slug) => `${slug}%zz`],
  ["a NUL", (slug) => `${slug}%00`],
  ["a space", (slug) => `%20${slug}`],
];

describe("another spelling of the slug", () => {
  test.each(spellings)(
    "makes no difference, and no cache stores what members get: %s",
    async (_, spelled) => {
      const found: string[] = [];
      const respelled = (sent: Sent, { slug }: Target): Sent => ({
        ...sent,
        path: sent.path.replace(slug, spelled(slug)),
      });
      for (const [who, headers] of outsiders()) {
        const requests = (to: Target) =>
          ofRoom.map((way): [string, Sent] => [`${who}: ${way.of}`, respelled(way.send(to), to)]);
        found.push(...(await differences(service.url, rooms, requests, () => headers, canary)));
      }
      const to = { ...rooms.there, name: cast.member.name };
      for (const way of ofRoom) {
        const sent = respelled(way.send(to), to);
        const { headers, status, body } = await answerTo(service.url, sent, cast.member.pair, to, true);
        const is_private = headers.get("cache-control") === "private, no-store";
        if (body.includes(canary) && !is_private)
          found.push(`${sent.path} may be cached: ${status} ${headers.get("cache-control")}`);
      }
      expect(found).toEqual([]);
    },
  );
});

/** Sends ids of private posts to another room. Returns the answers that differ from those about an unknown id. */
async function idsElsewhere(room: Opened, by: Holder): Promise<string[]> {
  const found: string[] = [];
  const api = `/api/meet/rooms/${room.slug}`;
  const unknown = `${rooms.there.post_id.slice(0, -4)}0000`;
  const own = { ...rooms.there, slug: room.slug, name: by.name };
  const requests = ({ post_id }: Target): Sent[] => [
    { method: "POST", path: `${api}/posts`, body: { name: by.name, body: "Re", in_reply_to: post_id } },
    { method: "POST", path: `${api}/posts`, body: { name: by.name, body: "Re", since: post_id } },
    { method: "GET", path: `${api}?since=${post_id}` },
    { method: "GET", path: `${api}?before=${post_id}` },
    { method: "GET", path: `${api}/posts/${post_id}` },
    { method: "GET", path: `${api}/posts/${post_id}?fields=delivery` },
    { method: "DELETE", path: `${api}/posts/${post_id}` },
    { method: "POST", path: `${api}/posts/${post_id}/report`, body: { reason: "spam" } },
    { method: "GET", path: `${api}/stream?since=${post_id}` },
    { method: "GET", path: `/api/wait?room=${room.slug}:${post_id}&wait_seconds=0` },
    { method: "GET", path: `/meet/r/${room.slug}/${post_id}` },
    { method: "GET", path: `/meet/r/${room.slug}/${post_id}.txt` },
    { method: "GET", path: `/meet/r/${room.slug}?reply=${post_id}` },
    { method: "GET", path: `/meet/r/${room.slug}?report=${post_id}` },
    { method: "GET", path: `/meet/r/${room.slug}?redact=${post_id}` },
    { method: "POST", path: `/meet/r/${room.slug}/report`, form: { post: post_id, reason: "spam" } },
    { method: "POST", path: `/meet/r/${room.slug}/redact`, form: { post: post_id } },
    {
      method: "POST",
      path: `/meet/r/${room.slug}`,
      form: { name: by.name, body: "Re", in_reply_to: post_id },
    },
    {
      method: "POST",
      path: "/mcp",
      body: message("tools/call", {
        name: "meet_answer",
        arguments: { room: room.slug, name: by.name, body: "Re", in_reply_to: post_id },
      }),
    },
    {
      method: "POST",
      path: "/mcp",
      body: message("tools/call", { name: "meet_read", arguments: { room: room.slug, since: post_id } }),
    },
  ];
  for (const to of [own, { ...own, post_id: rooms.deleted.post_id, own: rooms.deleted.own }]) {
    const missing = { ...to, post_id: unknown, own: { n: 1, id: unknown } };
    for (const [i, sent] of requests(to).entries()) {
      const one = await answerTo(service.url, sent, by.pair, to, true);
      const other = await answerTo(service.url, requests(missing)[i]!, by.pair, missing, true);
      if (one.seen !== other.seen)
        found.push(`${sent.path}: ${one.seen.slice(0, 500)} is not ${other.seen.slice(0, 500)}`);
    }
  }
  return found;
}

test("the id of a private post says nothing in another room", async () => {
  const { stranger, former } = cast;
  for (const by of [stranger, former])
    expect(await idsElsewhere(await open(service.url, `Of ${by.name}`), by)).toEqual([]);
});

test("a wait for several rooms is refused for the private one as for one that is not there", async () => {
  const room = await open(service.url, "Followed");
  const requests = ({ slug }: Target): [string, Sent][] =>
    [
      `room=${room.slug}:now&room=${slug}:now`,
      `room=${slug}:now&room=${room.slug}:now`,
      `room=${room.slug}&leases=${slug}:now`,
      `room=${slug}:2026-01-01T00:00:00.000Z`,
      `room=${slug}:nonsense`,
      `leases=${slug}:nonsense`,
      `room=${slug.toUpperCase()}:now`,
      `room=%23${slug}:now`,
    ].map((query) => [query, { method: "GET", path: `/api/wait?wait_seconds=10&${query}` }]);
  for (const [, headers] of outsiders())
    expect(await differences(service.url, rooms, requests, () => headers, canary)).toEqual([]);
});

describe("a session over MCP", () => {
  test.each(["/mcp", "/mcp/meet", "own"])("follows no private room of others: %s", async (address) => {
    const before = service.open().subscriptions;
    const answers: string[] = [];
    for (const to of [rooms.there, rooms.deleted, rooms.missing]) {
      const path = address === "own" ? `/mcp/meet/${to.slug}` : address;
      const begun = await post(
        service.url + path,
        message("initialize", {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: "test", version: "1" },
        }),
        cast.former.pair,
      );
      const session = { "mcp-session-id": begun.headers.get("mcp-session-id")!, ...cast.former.pair };
      for (const method of ["resources/subscribe", "resources/read", "resources/list"]) {
        const sent = { method: "POST", path, body: message(method, { uri: uriOf(to as never) }) };
        answers.push((await answerTo(service.url, sent, session, to)).seen);
      }
      const stream = await readEvents(service.url + path, { accept: "text/event-stream", ...session });
      await stream.close();
    }
    const [there, deleted, missing] = [0, 3, 6].map((i) => answers.slice(i, i + 3));
    expect(there).toEqual(missing!);
    expect(deleted).toEqual(missing!);
    expect(service.open().subscriptions).toBe(before);
  });

  test("ends a stream of subscriptions to a private room of others as one to none", async () => {
    const url = `${service.url}/mcp`;
    const session = await beginSession(url);
    const begun = await post(
      url,
      message("resources/subscribe", { uri: `meet://room/${rooms.there.slug}` }),
      session,
    );
    expect(JSON.stringify(begun.body)).not.toContain(canary);
    const said: unknown[] = [];
    for (const { slug } of [rooms.there, rooms.missing]) {
      const stream = await listen(url, [`meet://room/${slug}`]);
      said.push([await stream.next(), await stream.next(), await stream.next()]);
    }
    expect(said[0]).toEqual(said[1]);
  });
});

test("an instance for members only answers its members as any other", async () => {
  const of_members = await startSource({ read: "members" });
  const { url } = of_members;
  const own_cast = await claimCast(url, "instance");
  const own_rooms = await compared(of_members, own_cast, canary, random);
  const requests = (to: Target) =>
    http_ways.filter(({ by_key }) => !by_key).map((way): [string, Sent] => [way.of, way.send(to)]);
  for (const { pair } of [own_cast.stranger, own_cast.former])
    expect(await differences(url, own_rooms, requests, () => pair, canary)).toEqual([]);
  expect(await differences(url, own_rooms, requests, () => ({}), canary)).toEqual([]);
  const member = own_cast.member;
  for (const way of ofRoom) {
    const to = { ...own_rooms.there, name: member.name };
    const { headers } = await answerTo(url, way.send(to), member.pair, to, true);
    expect([way.of, headers.get("cache-control")]).toEqual([way.of, "private, no-store"]);
  }
  await of_members.stop();
}, 60_000);
