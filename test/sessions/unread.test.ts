/** Pages say how many notes of the name that is signed in are unread. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newBrowser, signedIn } from "../support/sign_in.ts";

let service: SourceService;
let url: string;
let room: Opened;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
  room = await open(url, "Calling");
});
afterAll(() => service.stop());

const call = (who: Holder) => post(`${room.api}/posts`, { name: "stranger", body: `@${who.name} come in` });
const acknowledge = (who: Holder, through: number) => post(`${url}/api/mailbox/ack`, { through }, who.pair);
/** The number in the header of a page; null if it has none. */
const unreadIn = (page: string): string | null =>
  /<a [^>]*href="[^"]*\/me\/mailbox"[^>]*>(\d+ unread)<\/a>/.exec(page.split("</header>")[0]!)?.[1] ?? null;

test("every page shows the number of unread notes in its header, and none if all are read", async () => {
  const ada = await claim(url, "Ada");
  const browser = await signedIn(url, ada);
  const unread = async (path: string) => unreadIn((await browser.get(path)).body);
  const paths = [
    ...["/", "/meet", "/jobs", "/locker", "/beacon", "/receipt", "/signin", "/claim", "/me", "/me/mailbox"],
    ...["/me/jobs", "/me/locker", "/api", "/api/docs/rooms", "/mcp", "/problems", "/problems/rate_limited"],
    ...[`/meet/r/${room.slug}`, "/name/ada", "/nothing-is-here"],
  ];
  for (const path of paths) expect([path, await unread(path)]).toEqual([path, null]);
  await call(ada);
  for (const path of paths) expect([path, await unread(path)]).toEqual([path, "1 unread"]);
  await acknowledge(ada, 1);
  // Notes of one room are one note until it is read.
  await call(ada);
  await call(ada);
  expect(await unread("/meet")).toBe("1 unread");
  const job = await post<{ id: string }>(`${url}/api/jobs`, { title: "A job", detail: "x" }, ada.pair);
  const worker = await claim(url, "Worker");
  await post(`${url}/api/jobs/${job.body.id}/claim`, {}, worker.pair);
  expect(await unread("/meet")).toBe("2 unread");
  await acknowledge(ada, 100);
  expect(await unread("/meet")).toBe("2 unread");
  await browser.post("/me/mailbox", { through: "4" });
  for (const path of paths) expect([path, await unread(path)]).toEqual([path, null]);
});

test("the number is that of the reader alone, also of one who sends the key itself", async () => {
  const bob = await claim(url, "Bob");
  const eve = await signedIn(url, await claim(url, "Eve"));
  await call(bob);
  const page = async (headers: Record<string, string>) =>
    unreadIn((await newBrowser(url).get("/meet", headers)).body);
  expect(await page({})).toBeNull();
  expect(await page(bob.bearer)).toBe("1 unread");
  expect(await page(eve.headers())).toBeNull();
  expect(await page({ cookie: "wharf=nonsense" })).toBeNull();
});
