/** The list of one's receipts, /me/receipts: those of the export of the name, found again after the page that gave one is closed. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Verdict } from "../../src/api/receipts/receipts.ts";
import { asOwner } from "../support/admin.ts";
import { call, post, send } from "../support/http.ts";
import { callJob, payloadOf, postJob } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { receiptsIn } from "../support/receipts.ts";
import type { Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newBrowser, signedIn, type Browser } from "../support/sign_in.ts";

let service: SourceService;
let url: string;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
});
afterAll(() => service.stop());

const open = async ({ name, pair }: Holder, goal: string, visibility = "public") =>
  (await post<Opened>(`${url}/api/meet/rooms`, { goal, name, visibility }, pair)).body;
const say = async ({ api }: Opened, { name, pair }: Holder, body: string) =>
  (await post<{ id: string; receipt: string }>(`${api}/posts?receipt=1`, { name, body }, pair)).body;

/** A delivered job of `poster`. */
async function delivered(poster: Holder, worker: Holder, title: string): Promise<string> {
  const { id } = await postJob(url, poster, { title });
  await callJob(url, worker, id, "claim");
  await callJob(url, worker, id, "deliver", { result: `Result of ${title}` });
  return id;
}

/** The pages of the list. */
async function pagesOf(browser: Browser, query = ""): Promise<string[]> {
  const pages: string[] = [];
  for (let path: string | undefined = `/me/receipts${query}`; path !== undefined;) {
    const { status, body } = await browser.get(path);
    expect(status).toBe(200);
    pages.push(body);
    path = /rel="next" href="[^"]*?(\/me\/receipts[^"]*)"/.exec(body)?.[1]?.replaceAll("&amp;", "&");
  }
  return pages;
}
const listed = async (browser: Browser, query = "") => (await pagesOf(browser, query)).flatMap(receiptsIn);
const kindsIn = (receipts: string[]) => receipts.map((receipt) => payloadOf(receipt).act);

/** The receipts in the export of a name. */
const exported = async ({ pair }: Holder): Promise<string[]> =>
  (await send("GET", `${url}/api/name/export`, pair)).body
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { kind: string; receipt: string })
    .flatMap(({ kind, receipt }) => (kind === "receipt" ? [receipt] : []));

test("has the receipts of the export, the newest first, page by page", async () => {
  const [lin, mo] = [await claim(url, "Lin"), await claim(url, "Mo")];
  const rooms = [await open(lin, "Mine?"), await open(lin, "Not listed", "unlisted")];
  for (let i = 0; i < 60; i++) {
    if (i % 3 === 0) service.clock.advance(1);
    await say(rooms[i % 2]!, lin, `Text ${i}`);
  }
  service.clock.advance(60);
  await postJob(url, lin, { title: "Offered" });
  service.clock.advance(60);
  const id = await delivered(mo, lin, "Of mo");
  service.clock.advance(60);
  await callJob(url, mo, id, "review", { verdict: "accepted" });
  const browser = await signedIn(url, lin);
  const pages = await pagesOf(browser);
  expect(pages.map((page) => receiptsIn(page).length)).toEqual([25, 25, 16]);
  const receipts = pages.flatMap(receiptsIn);
  expect(receipts.toSorted()).toEqual((await exported(lin)).toSorted());
  expect(kindsIn(receipts).slice(0, 3)).toEqual(["job.accept", "job.deliver", "job.post"]);
  expect(kindsIn(receipts).at(-1)).toBe("name.claim");
  const times = receipts.map((receipt) => payloadOf(receipt).iat as number);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  const { body } = await post<Verdict>(`${url}/receipt/verify`, { receipt: receipts[0]! });
  expect(body.verdict).toBe("valid");
  expect(kindsIn(await listed(await signedIn(url, mo)))).toEqual(["job.accept", "job.post", "name.claim"]);
  for (const [of, expected] of [
    ["jobs", ["job.accept", "job.deliver", "job.post"]],
    ["rooms", ["meet.open", "meet.open"]],
    ["posts", Array(60).fill("meet.speak")],
    ["names", ["name.claim"]],
  ] as const) {
    expect(kindsIn(await listed(browser, `?of=${of}`))).toEqual([...expected]);
  }
});

test("says what each attests and whose it is, links its object, and warns of unlisted rooms", async () => {
  const [una, vic] = [await claim(url, "Una"), await claim(url, "Vic")];
  const room = await open(una, "A <b>secret</b> goal", "unlisted");
  await say(room, una, "In it.");
  const id = await delivered(vic, una, "Count");
  await callJob(url, vic, id, "review", { verdict: "accepted" });
  const [page = ""] = await pagesOf(await signedIn(url, una));
  for (const words of [
    "Your delivery was accepted: <bdi>Count",
    "You delivered a job: <bdi>Count",
    "You posted #1 in a room: <bdi>A &lt;b&gt;secret",
    "You opened a room: <bdi>A &lt;b&gt;secret",
    "You claimed this name: <bdi>Una",
    "offered by",
    `href="${url}/jobs/${id}"`,
    `href="${url}/meet/r/${room.slug}"`,
    `href="${url}/meet/r/${room.slug}/1"`,
    `href="${url}/name/Una"`,
  ]) {
    expect([words, page.includes(words)]).toEqual([words, true]);
  }
  expect(page.split("looks unlisted").length - 1).toBe(2);
  const [of_poster = ""] = await pagesOf(await signedIn(url, vic));
  expect(of_poster).toContain("You accepted a delivery: <bdi>Count");
  expect(of_poster).toContain("delivered by");
});

test("is linked by /me, and is for the name alone", async () => {
  const browser = await signedIn(url, await claim(url, "Wes"));
  expect((await browser.get("/me")).body).toContain(`${url}/me/receipts"`);
  expect((await newBrowser(url).get("/me/receipts")).status).toBe(401);
  expect((await browser.get("/me/receipts?cursor=x")).status).toBe(422);
  expect((await browser.get("/me/receipts?of=x")).status).toBe(422);
  const answer = await browser.get("/me/receipts");
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
});

describe("a receipt of a text that is not stored any more", () => {
  test("is not listed: of a redacted post, of a deleted room, of a job that the operator withdrew", async () => {
    const [xan, yva] = [await claim(url, "Xan"), await claim(url, "Yva")];
    const browser = await signedIn(url, xan);
    const room = await open(xan, "To be deleted");
    const { id } = await say(room, xan, "To be redacted");
    service.clock.advance(1);
    const job = await delivered(yva, xan, "To be erased");
    expect(kindsIn(await listed(browser))).toEqual(["job.deliver", "meet.speak", "meet.open", "name.claim"]);
    await call("DELETE", `${room.api}/posts/${id}`, undefined, xan.pair);
    expect(kindsIn(await listed(browser))).toEqual(["job.deliver", "meet.open", "name.claim"]);
    await asOwner(service, "POST", `/api/admin/jobs/${job}/withdraw`, { reason: "Test" });
    expect(kindsIn(await listed(browser))).toEqual(["meet.open", "name.claim"]);
    await asOwner(service, "POST", `/api/admin/rooms/${room.slug}/delete`, { reason: "Test" });
    expect(kindsIn(await listed(browser))).toEqual(["name.claim"]);
    expect((await listed(browser)).toSorted()).toEqual((await exported(xan)).toSorted());
  });
});

test("a name that was claimed again has none of its earlier holder", async () => {
  const zed = await claim(url, "Zed");
  await open(zed, "Of the first Zed");
  const { id } = await postJob(url, zed, { title: "Of the first Zed" });
  await asOwner(service, "POST", "/api/admin/names/Zed/release", { reason: "Test" });
  service.clock.advance(1);
  const browser = await signedIn(url, await claim(url, "Zed"));
  expect(kindsIn(await listed(browser))).toEqual(["name.claim"]);
  expect((await browser.get(`/jobs/${id}`)).body).not.toContain("/receipt?r=");
});
