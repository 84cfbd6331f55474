/**
 * A private room cannot be seen by anybody but its members: by every route, tool, resource and prompt (test/support/ways.ts), its
 * answers are those about a room that is not there, and about a private room that was deleted.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApp } from "../../support/app.ts";
import { openStorage } from "../../../src/app/storage.ts";
import { createLog } from "../../../src/core/log.ts";
import { FakeClock } from "../../support/clock.ts";
import { call, post } from "../../support/http.ts";
import { ask, type Rpc } from "../../support/mcp_messages.ts";
import { letIn } from "../../support/oauth.ts";
import {
  answerTo,
  claimCast,
  compared,
  difference,
  differences,
  missingLike,
  openPrivate,
  type Answered,
  type Cast,
  type Compared,
} from "../../support/private_rooms.ts";
import { randomFrom } from "../../support/seed.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../../support/service.ts";
import { signedIn } from "../../support/sign_in.ts";
import { withStored } from "../../support/stored.ts";
import { toolsOf } from "../../support/tools.ts";
import {
  http_ways,
  isOfferedAt,
  mcp_routes,
  mcp_ways,
  mcpSent,
  no_room_routes,
  no_room_tools,
  type McpWay,
  type Sent,
  type Target,
  type Way,
} from "../../support/ways.ts";

const canary = "zqprivate";
const random = randomFrom(1);
let service: SourceService;
let cast: Cast;
let rooms: Compared;
/** A private room of the stranger. */
let elsewhere: Target;

/** Somebody who is no member: the headers of its requests, and the name under which it speaks. */
interface Outsider {
  name: string;
  headers: Record<string, string>;
  /** Also sent as arguments of tools. */
  arguments?: Record<string, string>;
}
const outsiders: Record<string, Outsider> = {};

beforeAll(async () => {
  service = await startSource({ oauth: true });
  const { url } = service;
  cast = await claimCast(url, "ways");
  const { stranger, former } = cast;
  const former_session = await signedIn(url, former);
  rooms = await compared(service, cast, canary, random);
  const session = await signedIn(url, stranger);
  const { access_token } = await letIn(url, session);
  elsewhere = await openPrivate(url, { ...cast, host: stranger }, "elsewhere");
  const host_session = await signedIn(url, former);
  for (const { slug, host_key } of [rooms.there])
    await host_session.post(`/meet/r/${slug}/host`, { host_key });
  Object.assign(outsiders, {
    nobody: { name: "Nobody", headers: {} },
    "a stranger": { name: stranger.name, headers: stranger.pair },
    "a stranger by a bearer key": { name: stranger.name, headers: stranger.bearer },
    "a stranger by Basic": {
      name: stranger.name,
      headers: { authorization: `Basic ${btoa(`${stranger.name}:${stranger.key}`)}` },
    },
    "a stranger with a key in arguments": {
      name: stranger.name,
      headers: {},
      arguments: { name: stranger.name, key: stranger.key },
    },
    "a stranger in a browser": { name: stranger.name, headers: { cookie: session.cookie } },
    "a program of a stranger": {
      name: stranger.name,
      headers: { authorization: `Bearer ${access_token}` },
    },
    "a former member": { name: former.name, headers: former.pair },
    "a former member in a browser": { name: former.name, headers: { cookie: former_session.cookie } },
    "a former member in a browser with the rights of a host": {
      name: former.name,
      headers: { cookie: host_session.cookie },
    },
    "the host key of another room": { name: "Nobody", headers: { "x-meet-key": elsewhere.host_key } },
    "a stranger with the host key of another room": {
      name: stranger.name,
      headers: { ...stranger.pair, "x-meet-key": elsewhere.host_key },
    },
  } satisfies Record<string, Outsider>);
}, 60_000);
afterAll(() => service.stop());

const addresses = ({ slug }: Target): string[] => ["/mcp", "/mcp/meet", `/mcp/meet/${slug}`, "/mcp/account"];

/** All that a caller can send about a room, with what it is. */
function sentTo(to: Target): [way: Way | McpWay, what: string, sent: Sent][] {
  return [
    ...http_ways.map((way): [Way, string, Sent] => [way, way.of, way.send(to)]),
    ...addresses(to).flatMap((address) =>
      mcp_ways
        .filter((way) => isOfferedAt(way, address))
        .flatMap((way) =>
          mcpSent(way, address, to).map((sent, i): [McpWay, string, Sent] => [
            way,
            `${address.replace(to.slug, "SLUG")} ${way.of} ${i}`,
            sent,
          ]),
        ),
    ),
  ];
}

/** A call of a tool with further arguments. */
function withArguments(sent: Sent, added: Record<string, string> | undefined): Sent {
  const { params } = (sent.body ?? {}) as { params?: { arguments?: object } };
  if (!added || !params?.arguments) return sent;
  const body = {
    ...(sent.body as object),
    params: { ...params, arguments: { ...params.arguments, ...added } },
  };
  return { ...sent, body };
}

/** Tables with what concerns no room, and what each call changes. */
const of_no_room = new Set([
  ...["names", "sessions", "mcp_sessions", "mcp_session_counts", "idempotent_answers", "counters"],
  ...[
    "clock_mark",
    "server_secret",
    "place",
    "beacon_secrets",
    "beacon_mark",
    "beacon_days",
    "beacon_anchors",
  ],
  ...["oauth_clients", "oauth_grants", "oauth_codes", "oauth_refreshes", "oauth_tokens", "search_progress"],
  "answers",
  // Messages between nodes.
  "changed_topics",
]);

/** All rows that concern rooms. */
const rowsOfRooms = (): Promise<string> =>
  withStored(service.directory, async ({ run, tables }) => {
    const names = (await tables()).filter(
      (table) => !of_no_room.has(table) && !/^(?:(?:job|private)_)?search(?:_(?!progress)|$)/.test(table),
    );
    const rows = await Promise.all(
      names.toSorted().map(async (table) => [table, await run(`SELECT * FROM ${table}`)] as const),
    );
    return JSON.stringify(rows, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value,
    );
  });

const who = (): string[] => Object.keys(outsiders);
const outsider_names = [
  "nobody",
  "a stranger",
  "a stranger by a bearer key",
  "a stranger by Basic",
  "a stranger with a key in arguments",
  "a stranger in a browser",
  "a program of a stranger",
  "a former member",
  "a former member in a browser",
  "a former member in a browser with the rights of a host",
  "the host key of another room",
  "a stranger with the host key of another room",
];

describe("the tables of ways", () => {
  test("have every route", async () => {
    const directory = newDirectory();
    const clock = new FakeClock();
    const log = createLog(clock, "debug", () => {});
    const storage = await openStorage(directory, clock, log, { max_bytes: 2 ** 40, min_free_bytes: 0 });
    const app = await createTestApp(storage, clock, log, { oauth: true });
    const mounted = app.routes.map(({ method, path }) => `${method} ${path}`);
    app.close();
    await storage.close();
    removeDirectory(directory);
    expect(mounted.length).toBeGreaterThan(150);
    const listed = new Set([...http_ways.map(({ of }) => of), ...no_room_routes, ...mcp_routes]);
    const what_to_do =
      "add to http_ways in test/support/ways.ts how the route can name a room, or add the route to no_room_routes if nothing in it can name one";
    expect(mounted.filter((route) => !listed.has(route)).map((route) => `${route}: ${what_to_do}`)).toEqual(
      [],
    );
    const gone = [...listed].filter((route) => !mounted.includes(route));
    expect(gone.map((route) => `${route}: it is no route any more, so take it out`)).toEqual([]);
    // A route with a room in its path names one.
    expect([...no_room_routes].filter((route) => route.includes(":room"))).toEqual([]);
  });

  test("have every tool, resource, prompt and method", async () => {
    const { url } = service;
    const listed = new Set(mcp_ways.map(({ of }) => of));
    const what_to_do = "add to mcp_ways in test/support/ways.ts how it can name a room";
    const missing: string[] = [];
    for (const address of addresses(rooms.there)) {
      const headers = address === "/mcp/account" ? cast.stranger.pair : {};
      const { tools } = (await ask<{ tools: { name: string }[] }>(url + address, "tools/list", {}, headers))
        .body.result!;
      const { resourceTemplates } = (
        await ask<{ resourceTemplates: { uriTemplate: string }[] }>(
          url + address,
          "resources/templates/list",
          {},
          headers,
        )
      ).body.result!;
      const { prompts } = (
        await ask<{ prompts: { name: string }[] }>(url + address, "prompts/list", {}, headers)
      ).body.result!;
      const wanted = [
        ...tools.filter(({ name }) => !no_room_tools.has(name)).map(({ name }) => `tools/call ${name}`),
        ...resourceTemplates.flatMap(({ uriTemplate }) =>
          ["resources/read", "resources/subscribe", "subscriptions/listen", "completion/complete"].map(
            (method) => `${method} ${uriTemplate}`,
          ),
        ),
        ...prompts.flatMap(({ name }) => [`prompts/get ${name}`, `completion/complete ${name}`]),
      ];
      missing.push(...wanted.filter((one) => !listed.has(one)));
    }
    expect([...new Set(missing)].map((one) => `${one}: ${what_to_do}, or to no_room_tools`)).toEqual([]);
    const offered = new Set((await toolsOf(url)).map(({ name }) => name));
    expect([...no_room_tools].filter((name) => !offered.has(name))).toEqual([]);
  });
});

describe("everybody but the members", () => {
  test("has a row", () => expect(who()).toEqual(outsider_names));

  test.each(outsider_names)(
    "gets by every way what there is where no room is, and writes nothing: %s",
    async (which) => {
      const outsider = outsiders[which]!;
      const before = await rowsOfRooms();
      const requests = (to: Target) =>
        sentTo({ ...to, name: outsider.name, host_key: elsewhere.host_key }).map(
          ([, what, sent]): [string, Sent] => [what, withArguments(sent, outsider.arguments)],
        );
      expect(requests(rooms.there).length).toBeGreaterThan(200);
      expect(await differences(service.url, rooms, requests, () => outsider.headers, canary)).toEqual([]);
      expect(await rowsOfRooms()).toBe(before);
    },
    60_000,
  );
});

/** Of an answer over MCP: its error or the refusal of a tool; null for a result. */
function refusalIn(body: string): string | null {
  const json = body.startsWith("{") ? body : /^data: (\{.*)$/m.exec(body)?.[1];
  const { error, result } = JSON.parse(json ?? "{}") as Rpc<{
    isError?: boolean;
    content?: { text: string }[];
  }>;
  if (error) return error.message;
  return result?.isError ? result.content![0]!.text : null;
}

const isMcp = ({ body }: Answered): boolean => body.includes('"jsonrpc"');

/** The code of a refusal, over HTTP or MCP; null if the call was not refused. */
function codeIn(answer: Answered): string | null {
  if (isMcp(answer)) return /\((\w+)\)/.exec(refusalIn(answer.body) ?? "")?.[1] ?? null;
  return answer.status < 400 ? null : (/"code":"(\w+)"/.exec(answer.body)?.[1] ?? `${answer.status}`);
}

describe("a reader", () => {
  test("is refused by every way that writes, and writes nothing", async () => {
    const { reader, member } = cast;
    const before = await rowsOfRooms();
    const to = { ...rooms.there, name: reader.name, other: member.name };
    const writing = sentTo(to).filter(([{ reader: refused }]) => refused !== undefined);
    expect(writing.length).toBeGreaterThan(60);
    const found: string[] = [];
    for (const [{ reader: refused }, what, sent] of writing) {
      const answer = await answerTo(service.url, sent, reader.pair, to);
      const status = isMcp(answer) ? 200 : refused === "host_key_required" ? 401 : 403;
      const is_page = answer.body.startsWith("<!doctype html>");
      const is_refused = answer.status === status && (is_page || codeIn(answer) === refused);
      if (!is_refused) found.push(`${what}: ${answer.seen.slice(0, 600)}`);
    }
    expect(found).toEqual([]);
    expect(await rowsOfRooms()).toBe(before);
  }, 60_000);
});

/** Whether caches must not store an answer for members. */
function isUncached({ headers }: Answered, { path }: Sent): boolean {
  const directives = headers.get("cache-control") ?? "";
  return path.includes("private--") ? directives === "private, no-store" : directives.includes("no-store");
}

/** A room with two hosts, so that either can be removed. */
async function newRoom(): Promise<Target> {
  const { url } = service;
  const to = await openPrivate(url, cast, canary);
  const { host, former } = cast;
  await post(`${url}/api/meet/rooms/${to.slug}/members`, { name: former.name, role: "host" }, host.pair);
  return to;
}

/**
 * Makes each call that `isMeant` accepts as a member, in a room of its own, then removes the member and makes the call again. Returns
 * what was answered otherwise than to a member, and then otherwise than where no room is.
 */
async function madeTwice(isMeant: (sent: Sent) => boolean): Promise<{ count: number; found: string[] }> {
  const found: string[] = [];
  let count = 0;
  for (const i of sentTo(rooms.there).keys()) {
    if (!isMeant(sentTo(rooms.there)[i]![2])) continue;
    count++;
    const room = await newRoom();
    const [way] = sentTo(room)[i]!;
    const [caller, remover] = way.by === "host" ? [cast.host, cast.former] : [cast.member, cast.host];
    const to = { ...room, name: caller.name };
    const [, what, sent] = sentTo(to)[i]!;
    const headers = { "idempotency-key": crypto.randomUUID(), ...caller.pair };
    const answer = await answerTo(service.url, sent, headers, to, true);
    const { status = 200 } = way as Way;
    const is_made =
      (isMcp(answer) && way.says_nothing === true) ||
      ("era" in way && way.era === "session") ||
      (isMcp(answer) ? refusalIn(answer.body) === null : answer.status === status);
    if (!is_made) found.push(`${what} was refused: ${answer.seen.slice(0, 600)}`);
    if (!way.says_nothing && !isUncached(answer, sent))
      found.push(`${what} may be cached: ${answer.headers.get("cache-control")}`);
    // A way may have removed it itself.
    const as_member = `${service.url}/api/meet/rooms/${to.slug}/members/${encodeURIComponent(caller.name)}`;
    await call("DELETE", as_member, undefined, remover.pair);
    const missing = { ...to, slug: missingLike(to, random) };
    const etag = answer.headers.get("etag");
    const again = { ...headers, ...(etag && !way.says_nothing && { "if-none-match": etag }) };
    const one = await answerTo(service.url, sent, again, to);
    const other = await answerTo(service.url, sentTo(missing)[i]![2], again, missing);
    if (one.seen !== other.seen && !way.by_key)
      found.push(`${what} after the removal: ${difference(one.seen, other.seen)}`);
    if (way.has_other_rooms ? one.body.includes(to.slug) : one.seen.includes(canary))
      found.push(`${what} has the room after the removal`);
  }
  return { count, found };
}

describe("a member", () => {
  test("is let in by every route, and no longer once it is removed, not even for the same call", async () => {
    const { count, found } = await madeTwice(({ path }) => !path.startsWith("/mcp") || path.endsWith(".md"));
    expect(count).toBeGreaterThan(60);
    expect(found).toEqual([]);
  }, 60_000);

  test("is let in by every call over MCP, and no longer once it is removed, not even for the same call", async () => {
    const { count, found } = await madeTwice(
      ({ path }) => /^\/mcp(?:$|\/meet\/)/.test(path) && !path.endsWith(".md"),
    );
    expect(count).toBeGreaterThan(70);
    expect(found).toEqual([]);
  }, 60_000);
});
