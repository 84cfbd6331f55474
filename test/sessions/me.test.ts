/** The page of the name that is signed in: what is new for it, and what it has posted. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { asOwner } from "../support/admin.ts";
import { post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { newBrowser, signedIn } from "../support/sign_in.ts";

let service: SourceService;
let url: string;
let holder: Holder;
let names = 0;
beforeAll(async () => {
  service = await startSource({ rooms_per_hour_by_address: 1_000 });
  url = service.url;
});
afterAll(() => service.stop());

const somebody = async (): Promise<Holder> => (holder = await claim(url, `holder-${++names}`));
const say = ({ api }: Opened, body: string, who?: Holder) =>
  post<{ id: string }>(`${api}/posts`, { name: who?.name ?? "stranger", body }, who?.pair);
const page = async (): Promise<string> => (await (await signedIn(url, holder)).get("/me")).body;

/** The part of the page below this heading; null if it is not there. */
function below(html: string, heading: string): string | null {
  const [, part] = html.split(`<h2>${heading}</h2>`);
  return part === undefined ? null : part.split(/<h2>|<\/main>/)[0]!;
}
/** The links of titles in a part, as their paths and texts. */
const links = (part: string | null): string[][] =>
  Array.from(part?.matchAll(/<a href="([^"]*)" dir="auto">([^<]*)<\/a>/g) ?? [], ([, href, text]) => [
    href!.slice(url.length),
    text!,
  ]);

test("has the latest unread notes, with the goals of their rooms, and leads to all of them", async () => {
  const { pair, name } = await somebody();
  expect(below(await page(), "Unread notes")).toBeNull();
  for (let n = 1; n <= 7; n++) await say(await open(url, `Room ${n}`), `@${name} come to ${n}`);
  const part = below(await page(), "Unread notes")!;
  expect(links(part).map(([, text]) => text)).toEqual([7, 6, 5, 4, 3].map((n) => `Room ${n} · #1`));
  expect(part).toContain("come to 7");
  expect(part).toContain(`href="${url}/me/mailbox">All 7 unread notes</a>`);
  await post(`${url}/api/mailbox/ack`, { through: 6 }, pair);
  const rest = below(await page(), "Unread notes")!;
  expect(links(rest).map(([, text]) => text)).toEqual(["Room 7 · #1"]);
  expect(rest).not.toContain("unread notes</a>");
});

test("has the name's newest posts, with a link to all, and those in unlisted rooms for their author alone", async () => {
  await somebody();
  expect(below(await page(), "Your posts in public rooms")).toContain("None yet.");
  const [open_room, hidden] = [await open(url, "A <b>goal</b>"), await open(url, "Secret plans", "unlisted")];
  for (let n = 1; n <= 6; n++) await say(open_room, `Said ${n}`, holder);
  await say(open_room, "In this name without its key");
  await say(hidden, "In private", holder);
  const html = await page();
  const posts = below(html, "Your posts in public rooms")!;
  expect(links(posts)).toEqual([[`/meet/r/${open_room.slug}/6`, "A &lt;b&gt;goal&lt;/b&gt;"]]);
  for (let n = 2; n <= 6; n++) expect(posts).toContain(`Said ${n}`);
  expect(posts).not.toContain("Said 1");
  expect(posts).not.toContain("without its key");
  expect(posts).toContain(`href="${url}/name/${holder.name}">All of them</a>`);
  const unlisted = below(html, "Your posts in unlisted rooms")!;
  expect(links(unlisted)).toEqual([[`/meet/r/${hidden.slug}/1`, "Secret plans"]]);
  expect(unlisted).toContain("In private");
  for (const path of [`/name/${holder.name}`, `/api/name/${holder.name}/posts`])
    expect((await newBrowser(url).get(path)).body).not.toContain("In private");
  await asOwner(service, "POST", `/api/admin/rooms/${hidden.slug}/delete`, { reason: "over" });
  expect(below(await page(), "Your posts in unlisted rooms")).toBeNull();
});

test("has no post of an earlier holder of the name", async () => {
  const { name } = await somebody();
  const rooms = [await open(url, "Public"), await open(url, "Unlisted", "unlisted")];
  for (const room of rooms) await say(room, "Mine", holder);
  expect((await page()).match(/Mine/g)).toHaveLength(2);
  await asOwner(service, "POST", `/api/admin/names/${name}/release`, { reason: "gone" });
  service.clock.advance(60);
  holder = await claim(url, name);
  expect(await page()).not.toContain("Mine");
});

test("has the jobs that the name holds, and those that it has to review", async () => {
  const poster = await somebody();
  const job = async (title: string) =>
    (await post<{ id: string }>(`${url}/api/jobs`, { title, detail: "x" }, poster.pair)).body.id;
  const [first, second] = [await job("First"), await job("Second")];
  expect(below(await page(), "Jobs to review")).toBeNull();
  const worker = await somebody();
  for (const id of [first, second]) await post(`${url}/api/jobs/${id}/claim`, {}, worker.pair);
  await post(`${url}/api/jobs/${first}/deliver`, { result: "Done." }, worker.pair);
  const held = below(await page(), "Jobs that you hold")!;
  expect(links(held)).toEqual([[`/me/jobs/${second}`, "Second"]]);
  holder = poster;
  const to_review = below(await page(), "Jobs to review")!;
  expect(links(to_review)).toEqual([[`/me/jobs/${first}`, "First"]]);
  expect(to_review).toContain(`delivered by ${worker.name}`);
  await post(`${url}/api/jobs/${first}/review`, { verdict: "accepted" }, poster.pair);
  expect(below(await page(), "Jobs to review")).toBeNull();
});
