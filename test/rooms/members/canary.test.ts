/**
 * A text in a private room is in no answer to a stranger or a former member, nor in a log, a metric, a feed, the sitemap, a search, a
 * completion, a mailbox or an export; nor is its slug, where the question does not name it.
 */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Mailbox } from "../../../src/api/mailbox.ts";
import { asOwner, socketOf } from "../../support/admin.ts";
import { get, post } from "../../support/http.ts";
import { message } from "../../support/mcp_messages.ts";
import { claim, type Holder } from "../../support/names.ts";
import { answerTo, claimCast, openPrivate, removeFrom, type Cast } from "../../support/private_rooms.ts";
import { open } from "../../support/rooms.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { signedIn } from "../../support/sign_in.ts";
import { http_ways, mcp_routes, no_room_routes, type Target } from "../../support/ways.ts";
import { toolsOf } from "../../support/tools.ts";

/** Each a word of its own, so that a search could find it. */
const canary = "zqcanaryword";
let service: SourceService;
let cast: Cast;
let room: Target;
/** A name that is in the room, and in nothing else. */
let named: Holder;
let job_id: string;

beforeAll(async () => {
  service = await startSource({
    oauth: true,
    access_log: "full",
    metrics_listen: "127.0.0.1:0",
  });
  const { url } = service;
  cast = await claimCast(url, "scan");
  named = await claim(url, "Zed-scan");
  room = await openPrivate(url, cast, canary);
  const { host, former, member, stranger } = cast;
  const api = `${url}/api/meet/rooms/${room.slug}`;
  // What a former member has been notified of: a mention, a reply, a lease that was broken.
  const said = await post<{ id: string }>(
    `${api}/posts`,
    { name: former.name, body: `Ask ${canary}` },
    former.pair,
  );
  for (const body of [`@${former.name} and @${named.name}, ${canary}`, `Once more ${canary}`])
    await post(`${api}/posts`, { name: member.name, body, in_reply_to: said.body.id }, member.pair);
  await post(
    `${api}/leases`,
    { paths: ["src/of_former"], ttl_seconds: 600, purpose: `Of ${canary}` },
    former.pair,
  );
  await post(`${api}/leases/break`, { paths: ["src/of_former"] }, host.pair);
  // The stranger is mentioned, and is no member.
  await post(`${api}/posts`, { name: host.name, body: `@${stranger.name}, ${canary}` }, host.pair);
  await post(`${api}/posts/1/report`, { reason: `spam ${canary}` }, member.pair);
  await removeFrom(url, room, former, host);
  // What others can find.
  await post((await open(url, "Public words")).api + "/posts", { name: "Bob", body: "In public" });
  job_id = (
    await post<{ id: string }>(`${url}/api/jobs`, { title: "A job", detail: "To be done." }, stranger.pair)
  ).body.id;
}, 60_000);
afterAll(() => service.stop());

/** Paths with what there is, for the parameters of routes that name no room. */
const filled = (path: string): string =>
  path
    .replace("/jobs/:id", `/jobs/${job_id}`)
    .replace(":day", "2026-03-01")
    .replace(":section", "rooms")
    .replace(":code", "room_not_found")
    .replace(":name/*", `${encodeURIComponent(cast.member.name)}/slot`)
    .replace(":name", encodeURIComponent(cast.member.name))
    .replace("*", "slot")
    .replace(/:\w+/g, "5");

/** A word of posts beside the canary: an answer repeats its query. */
const word = "welcome";

/** Queries with which lists and searches could find a text of the room. */
const queries: Record<string, string[]> = {
  "/api/meet/rooms": [
    "?visibility=private",
    `?visibility=private&q=${word}`,

    `?q=${word}`,
    `?q=${word}&closed=false&fields=lean`,
    "?q=goal",
    "?closed=true",
    "?limit=100",
  ],
  "/api/meet/rooms.md": [`?q=${word}`, "?q=mine"],
  "/meet": [`?q=${word}`, "?q=private", "?closed=true"],
  "/meet.md": [`?q=${word}`],
  "/api/jobs": [`?q=${word}`],
  "/jobs": [`?q=${word}`],
  "/api/wait": ["?jobs=now&rooms=0&wait_seconds=0", "?rooms=0&beacon=next&wait_seconds=0"],
  "/api/mailbox": ["?since=0", "?since=0&fields=lean", "?count"],
  "/api/name": [`?q=${word}`],
};

const accepts = ["application/json", "text/html", "text/markdown", "*/*"];

/** Every answer to a question that names no room. */
async function answersOf(headers: Record<string, string>): Promise<[what: string, text: string][]> {
  const { url } = service;
  const answers: [string, string][] = [];
  const routes = new Set([
    ...no_room_routes,
    ...http_ways.map(({ of }) => of).filter((of) => !of.includes(":room") && !of.includes(":id")),
  ]);
  for (const route of routes) {
    const [method, path] = route.split(" ") as [string, string];
    if (method !== "GET" || path.endsWith("/stream")) continue;
    const names = path.includes(":name") ? [cast.member, cast.host, cast.former, named] : [cast.member];
    for (const { name } of names) {
      const at = filled(path).replace(encodeURIComponent(cast.member.name), encodeURIComponent(name));
      for (const query of ["", ...(queries[path] ?? [])]) {
        for (const accept of accepts) {
          const sent = { method, path: at + query, headers: { accept } };
          // Not the names of the room, which `seen` leaves out.
          const { body, headers: got } = await answerTo(url, sent, headers, room, true);
          answers.push([`${route}${query} as ${accept}`, JSON.stringify([...got]) + body]);
        }
      }
    }
  }
  return answers;
}

/** Every answer of MCP to a question that names no room. */
async function mcpAnswersOf(headers: Record<string, string>): Promise<[what: string, text: string][]> {
  const { url } = service;
  const argument = { name: "room", value: "" };
  const completing = ["", "p", "private", "private--", word, word.slice(0, 4), "goal", "src"].flatMap(
    (value) =>
      [
        { type: "ref/prompt", name: "join_room" },
        { type: "ref/resource", uri: "meet://room/{room}" },
      ].map((ref): [string, object] => ["completion/complete", { ref, argument: { ...argument, value } }]),
  );
  const args: Record<string, object[]> = {
    meet_rooms: [
      {},
      { query: word },
      { visibility: "private" },
      { query: "private", limit: 50 },
      { query: "mine" },
    ],
    name_lookup: [cast.member, cast.host, cast.former, named].map(({ name }) => ({ name })),
    locker_list: [{}, { of: "all" }],
    mailbox_read: [{}, { since: 0 }],
    wait: [
      { new_rooms: "0", mailbox: 0, wait_seconds: 0 },
      { new_rooms: "0", jobs: "now", wait_seconds: 0 },
    ],
    jobs_list: [{}],
    job_read: [{ id: job_id }],
  };
  const calls = (await toolsOf(url)).flatMap(({ name }) =>
    (args[name] ?? []).map((sent): [string, object] => ["tools/call", { name, arguments: sent }]),
  );
  const answers: [string, string][] = [];
  const lists = ["resources/list", "resources/templates/list", "prompts/list", "tools/list"];
  for (const address of ["/mcp", "/mcp/meet"]) {
    for (const [method, params] of [
      ...calls,
      ...completing,
      ...lists.map((list): [string, object] => [list, {}]),
    ]) {
      const sent = { method: "POST", path: address, body: message(method, params) };
      const { body } = await answerTo(url, sent, headers, room, true);
      answers.push([`${address} ${method} ${JSON.stringify(params)}`, body]);
    }
  }
  return answers;
}

test("no answer to a stranger or a former member has a text of a private room, or its slug", async () => {
  const { url } = service;
  const { stranger, former } = cast;
  expect([...mcp_routes].length).toBe(4);
  const session = await signedIn(url, former);
  const callers: [string, Record<string, string>][] = [
    ["nobody", {}],
    ["a stranger", stranger.pair],
    ["who is mentioned and no member", named.pair],
    ["a former member", former.pair],
    ["a former member in a browser", { cookie: session.cookie }],
  ];
  const found: string[] = [];
  let count = 0;
  for (const [who, headers] of callers) {
    for (const [what, text] of [...(await answersOf(headers)), ...(await mcpAnswersOf(headers))]) {
      count++;
      if (text.includes(canary)) found.push(`${who}: ${what} has the canary`);
      // A former member knows the slug, and finds it beside its notes.
      if (text.includes(room.slug) && !who.startsWith("a former member"))
        found.push(`${who}: ${what} has the slug`);
    }
  }
  expect(count).toBeGreaterThan(1_000);
  expect(found).toEqual([]);
}, 120_000);

test("a member finds the same texts, so that the scan would", async () => {
  const { url } = service;
  const { member } = cast;
  const { status, body } = await answerTo(
    url,
    { method: "GET", path: `/api/meet/rooms/${room.slug}` },
    member.pair,
    room,
  );
  expect([status, body.split(canary).length > 3]).toEqual([200, true]);
  const { notes } = (await get<Mailbox>(`${url}/api/mailbox?since=0`, member.pair)).body;
  expect(JSON.stringify(notes)).toContain(canary);
});

test("a former member keeps no excerpt of what it was notified of", async () => {
  const { notes } = (await get<Mailbox>(`${service.url}/api/mailbox?since=0`, cast.former.pair)).body;
  expect(JSON.stringify(notes)).not.toContain(canary);
  expect(notes.filter(({ excerpt, also }) => excerpt !== undefined || also !== undefined)).toEqual([]);
});

test("no log and no metric has a text of a private room", async () => {
  const metrics = await (await fetch(service.metrics_url!)).text();
  expect(metrics).not.toContain(canary);
  expect(metrics).not.toContain("private--");
  expect(service.output()).not.toContain(canary);
});

test("no export but that of everything, and none of names that are no members, has a text of a private room", async () => {
  const { url } = service;
  for (const { pair } of [cast.stranger, cast.former, named]) {
    const exported = await answerTo(url, { method: "GET", path: "/api/name/export" }, pair, room);
    expect(exported.status).toBe(200);
    const own = exported.body.split("\n").filter((line) => line.includes(canary));
    expect(own).toEqual([]);
  }
  const response = await fetch("http://localhost/api/admin/export", { unix: socketOf(service) } as never);
  expect(response.status).toBe(200);
  expect(await response.text()).not.toContain(canary);
  const listed = await asOwner(service, "GET", "/api/admin/audit");
  expect(JSON.stringify(listed.body)).not.toContain(canary);
});
