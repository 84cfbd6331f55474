/** Requests that pass the router and those that do not need it get the same answers: random calls of the document, both ways. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { documentedCall } from "../support/fuzz/http_calls.ts";
import { newFixtures, readDocuments, type Documents, type Fixtures } from "../support/fuzz/fixtures.ts";
import { randomOf, type Random } from "../support/fuzz/random.ts";
import { bytesOf, exchange, type Heard, type Sent } from "../support/fuzz/request.ts";
import { asOwner } from "../support/admin.ts";
import { call, get, post } from "../support/http.ts";
import { claim } from "../support/names.ts";
import { open } from "../support/rooms.ts";
import { testRandom } from "../support/seed.ts";
import { startSource, type SourceService } from "../support/service.ts";

/**
 * An answer without what differs between two to the same request: the time, the id of the request with its length, and where the
 * chunks of its body end.
 */
const without_ids = ({ status, headers, body, is_left }: Heard) => ({
  is_left,
  status,
  headers: headers
    .split("\r\n")
    .filter((line) => !/^(?:date|content-length|x-request-id|preference-applied):/i.test(line))
    .sort(),
  body: body.replace(/"request_id":"[^"]*"/, "").replaceAll(/(?:^|\r\n)[0-9a-f]+\r\n/g, ""),
});

let service: SourceService;
let documents: Documents;
let fixtures: Fixtures;
let seed: number;
beforeAll(async () => {
  ({ seed } = testRandom("without_router"));
  service = await startSource();
  documents = await readDocuments(service);
  fixtures = await newFixtures(service.url);
});
afterAll(() => service.stop());

const answerTo = async (sent: Sent) => without_ids(await exchange(service.url, bytesOf(sent)));

/** Calls of these paths of the document. */
function calls(paths: Record<string, unknown>, random: Random): Sent {
  const openapi = { ...documents.openapi, paths } as Documents["openapi"];
  return documentedCall({ ...documents, openapi }, fixtures, random);
}

test("a read that repeats another gets the answer of the router", async () => {
  const reads = Object.fromEntries(
    Object.entries(documents.openapi.paths)
      .filter(([path, { get }]) => get && !/stream|backup|export|admin/.test(path))
      .map(([path, { get }]) => [path, { get }]),
  );
  let compared = 0;
  for (let n = 0; n < 250; n++) {
    const sent = calls(reads, randomOf(seed, "reads", n));
    if (sent.method !== "GET" || /wait|listen/.test(sent.target)) continue;
    const headers = sent.headers.filter(([name]) => name !== "prefer");
    const plain = { ...sent, headers };
    const routed = { ...sent, headers: [...headers, ["prefer", "return=minimal"]] } as Sent;
    const answers = [
      await answerTo(routed),
      await answerTo(plain),
      await answerTo(plain),
      await answerTo(routed),
    ] as const;
    const [before, first, second, after] = answers;
    // The answer changes with the time, or is longer, or later, than the caller reads.
    if (answers.some(({ is_left }) => is_left) || JSON.stringify(before) !== JSON.stringify(after)) continue;
    expect([n, first]).toEqual([n, before]);
    expect([n, second]).toEqual([n, before]);
    compared++;
  }
  expect(compared).toBeGreaterThan(60);
}, 120_000);

test("a post is refused as by the router", async () => {
  const path = "/api/meet/rooms/{room}/posts";
  const { post: operation } = documents.openapi.paths[path]!;
  let refused = 0;
  for (let n = 0; n < 250; n++) {
    const sent = calls({ [path]: { post: operation } }, randomOf(seed, "posts", n));
    if (sent.method !== "POST" || sent.target.includes("?")) continue;
    // An empty query is the router's.
    const routed = await answerTo({ ...sent, target: `${sent.target}?` });
    const direct = await answerTo(sent);
    if (routed.is_left || direct.is_left) continue;
    // The first of the two moved the room on.
    if (routed.status < 400 && direct.status === 412) expect(String(sent.body)).toContain('"if_latest":');
    else if (routed.status < 400) {
      const members = ({ body }: { body: string }) => Object.keys(JSON.parse(body || "{}") as object);
      expect([n, direct.status, members(direct)]).toEqual([n, routed.status, members(routed)]);
    } else {
      expect([n, direct]).toEqual([n, routed]);
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(40);
}, 120_000);

describe("an answer that was sent before", () => {
  const texts = async (url: string, headers?: Record<string, string>) =>
    (await get<{ posts: { body: string }[] }>(url, headers)).body.posts.map(({ body }) => body);

  test("changes with its room, and ends with it", async () => {
    const room = await open(service.url, "A room that changes");
    const first = await post(`${room.api}/posts`, { name: "Ana", body: "one" });
    for (let i = 0; i < 3; i++) expect(await texts(room.api)).toEqual(["one"]);
    await post(`${room.api}/posts`, { name: "Ana", body: "two" });
    for (let i = 0; i < 3; i++) expect(await texts(room.api)).toEqual(["one", "two"]);
    const redacting = { "x-meet-key": room.host_key };
    await call("DELETE", `${room.api}/posts/${first.body.id as string}`, undefined, redacting);
    for (let i = 0; i < 3; i++) expect(await texts(room.api)).toEqual([null!, "two"]);
    await asOwner(service, "POST", `/api/admin/rooms/${room.slug}/delete`, { reason: "Spam." });
    for (let i = 0; i < 3; i++) expect((await get(room.api)).status).toBe(410);
  });

  test("is for callers without a credential, and for what they accept", async () => {
    const room = await open(service.url, "A room for anybody");
    const url = `${room.api}?limit=5`;
    for (let i = 0; i < 2; i++) expect((await get(url)).status).toBe(200);
    expect((await get(url, { "x-wf-key": "wfk_wrong" })).status).toBe(401);
    expect((await get(url, { authorization: "Bearer wfk_wrong" })).status).toBe(401);
    const markdown = await fetch(url, { headers: { accept: "text/markdown" } });
    expect(markdown.headers.get("content-type")).toStartWith("text/markdown");
    const known = (await fetch(url)).headers.get("etag")!;
    expect((await fetch(url, { headers: { "if-none-match": known } })).status).toBe(304);
    for (let i = 0; i < 2; i++)
      expect((await fetch(`${url}&unknown=1`)).headers.get("x-ignored-fields")).toBe("unknown");
    const eve = await claim(service.url, "eve");
    expect((await get(url, eve.pair)).status).toBe(200);
  });

  test("ends no wait", async () => {
    const room = await open(service.url, "A room to wait in");
    const url = `${room.api}?since=0`;
    for (let i = 0; i < 2; i++) expect(await texts(url)).toEqual([]);
    const in_vain = texts(`${url}&wait_seconds=30`);
    while (service.open().waits < 1) await service.clock.turn();
    service.clock.advance(31);
    expect(await in_vain).toEqual([]);
    const waiting = texts(`${url}&wait_seconds=30`);
    const preferring = texts(url, { prefer: "wait=30" });
    while (service.open().waits < 2) await service.clock.turn();
    await post(`${room.api}/posts`, { name: "Ana", body: "now" });
    expect(await Promise.all([waiting, preferring])).toEqual([["now"], ["now"]]);
  });
});
