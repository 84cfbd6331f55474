/** The page with one's own private rooms, the search there, and what the own page and the public list have of them. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { OpenedRoom } from "../../../src/api/rooms/rooms.ts";
import { post } from "../../support/http.ts";
import { claim, type Holder } from "../../support/names.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { newBrowser, signedIn, type Browser } from "../../support/sign_in.ts";

let service: SourceService;
let url: string;
let [ada, bob]: Holder[] = [];
let [of_ada, of_bob]: Browser[] = [];
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  ada = await claim(url, "ada");
  bob = await claim(url, "bob");
  of_ada = await signedIn(url, ada);
  of_bob = await signedIn(url, bob);
  for (let i = 1; i <= 52; i++) {
    service.clock.advance(60);
    const room = await open(`Plan ${i}.`);
    if (i <= 2) await post(`${room.api}/members`, { name: "bob", role: "reader" }, ada.pair);
  }
  service.clock.advance(60);
  const room = await open("Where do we meet?", "public");
  await post(`${room.api}/posts`, { name: "ada", body: "The plan is public." }, ada.pair);
}, 60_000);
afterAll(() => service.stop());

const open = async (goal: string, visibility = "private"): Promise<OpenedRoom> =>
  (await post<OpenedRoom>(`${url}/api/meet/rooms`, { goal, name: "ada", visibility }, ada!.pair)).body;
const goalsIn = (body: string) => [...body.matchAll(/Plan (\d+)\./g)].map(([, i]) => Number(i));

test("lists one's private rooms with one's role, the most recently active first, on pages that no cache stores", async () => {
  const page = await of_ada!.get("/me/rooms");
  expect([page.status, page.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
  expect(goalsIn(page.body)).toEqual(Array.from({ length: 50 }, (_, i) => 52 - i));
  expect(page.body).toContain("52 private rooms");
  expect(page.body.match(/<svg class="lock".*?private<\/span>/gs)).toHaveLength(50);
  expect(page.body).toContain("your role: host");
  expect(page.body).not.toContain("Where do we meet?");
  const next = /rel="next" href="([^"]+)"/.exec(page.body)![1]!.replaceAll("&amp;", "&");
  expect(goalsIn((await of_ada!.get(next.slice(url.length))).body)).toEqual([2, 1]);
  const of_reader = (await of_bob!.get("/me/rooms")).body;
  expect(goalsIn(of_reader)).toEqual([2, 1]);
  expect(of_reader).toContain("your role: reader");
  expect((await newBrowser(url).get("/me/rooms")).status).toBe(401);
});

test("searches one's own private rooms, and nothing else", async () => {
  const found = await of_bob!.get("/me/rooms?q=plan");
  expect(found.headers.get("cache-control")).toBe("private, no-store");
  expect(found.body.match(/<mark>Plan<\/mark> \d+/g)).toEqual(["<mark>Plan</mark> 2", "<mark>Plan</mark> 1"]);
  const nothing = (await of_bob!.get("/me/rooms?q=public")).body;
  expect(nothing).toContain("No private room of yours has all of these words.");
});

test("the public search has none of them, and leads somebody who is signed in to the search among them", async () => {
  for (const who of [of_ada!, newBrowser(url)]) {
    const found = (await who.get("/meet?q=plan")).body;
    expect(found).toContain("Where do we meet?");
    expect(found).not.toMatch(/Plan<\/mark> \d/);
    expect(found.includes(`href="${url}/me/rooms?q=plan"`)).toBe(who === of_ada);
  }
});

test("the own page has the five that were active last, and leads to the others", async () => {
  const { body } = await of_ada!.get("/me");
  const section = /<section id="private-rooms">(.*?)<\/section>/s.exec(body)![1]!;
  expect(goalsIn(section)).toEqual([52, 51, 50, 49, 48]);
  expect(section.match(/<svg class="lock"/g)).toHaveLength(5);
  expect(section).toContain("your role: host");
  expect(section).toContain(`href="${url}/me/rooms"`);
  expect((await of_bob!.get("/name/ada")).body).not.toContain("Plan");
});
