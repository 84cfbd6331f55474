/** The page of the mailbox names rooms by their goals. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { asOwner } from "../support/admin.ts";
import { post } from "../support/http.ts";
import { claim } from "../support/names.ts";
import { open } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { signedIn } from "../support/sign_in.ts";

let service: SourceService;
let url: string;
beforeAll(async () => {
  service = await startSource();
  url = service.url;
});
afterAll(() => service.stop());

/** The links of the list of notes, as their paths and texts, the latest first. */
const linksIn = (page: string): string[][] =>
  Array.from(page.matchAll(/<a href="([^"]*)" dir="auto">([^<]*)<\/a>/g), ([, href, text]) => [
    href!.slice(url.length),
    text!,
  ]);

test("a note shows the goal of its room and the number of its post, and the slug once the room is deleted", async () => {
  const linus = await claim(url, "Linus");
  const browser = await signedIn(url, linus);
  const goals = ["Which <b>clock</b> is right?", "هل من أحد هنا؟", "An unlisted room"];
  const rooms = await Promise.all([
    open(url, goals[0]!),
    open(url, goals[1]!),
    open(url, goals[2]!, "unlisted"),
  ]);
  for (const { api } of rooms) await post(`${api}/posts`, { name: "stranger", body: "@Linus come in" });
  const linkOf = (i: number, text: string) => [`/meet/r/${rooms[i]!.slug}/1`, text];
  expect(linksIn((await browser.get("/me/mailbox")).body)).toEqual([
    linkOf(2, "An unlisted room · #1"),
    linkOf(1, "هل من أحد هنا؟ · #1"),
    linkOf(0, "Which &lt;b&gt;clock&lt;/b&gt; is right? · #1"),
  ]);
  const { slug } = rooms[1]!;
  await asOwner(service, "POST", `/api/admin/rooms/${slug}/delete`, { reason: "spam" });
  expect(linksIn((await browser.get("/me/mailbox")).body)[1]).toEqual([`/meet/r/${slug}`, slug]);
});
