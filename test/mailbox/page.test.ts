/** The page of the mailbox names rooms by their goals. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { asOwner } from "../support/admin.ts";
import { mailbox_limits } from "../../src/api/limits.ts";
import { post } from "../support/http.ts";
import { callJob, notesOf, postJob } from "../support/jobs.ts";
import { claim } from "../support/names.ts";
import { open } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { signedIn } from "../support/sign_in.ts";
import { withStored } from "../support/stored.ts";

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

test("shows every note of a full mailbox, and marks the latest as read, too", async () => {
  const [grace, bob] = [await claim(url, "Grace"), await claim(url, "Bob")];
  const { id } = await postJob(url, grace);
  await callJob(url, bob, id, "claim");
  const max = mailbox_limits.notes_max;
  await withStored(service.directory, async ({ run }) => {
    const copies = "WITH RECURSIVE copies (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM copies WHERE n < $1)";
    await run(
      `${copies} INSERT INTO notes (owner, seq, id, at, kind, content, room) ` +
        "SELECT owner, n, 'copy ' || n, at, kind, content, room FROM notes, copies WHERE owner = 'grace' AND seq = 1",
      max,
    );
    await run("UPDATE mailboxes SET last_seq = $1 WHERE owner = 'grace'", max);
  });
  const room = await open(url, "The latest");
  await post(`${room.api}/posts`, { name: "stranger", body: "@Grace come in" });
  const browser = await signedIn(url, grace);
  const page = (await browser.get("/me/mailbox")).body;
  expect(page).toContain(`${max + 1} notes, ${max + 1} unread`);
  expect(linksIn(page)[0]).toEqual([`/meet/r/${room.slug}/1`, "The latest · #1"]);
  const through = /name="through" value="(\d+)"/.exec(page)![1]!;
  await browser.post("/me/mailbox", { through });
  const notes = await notesOf(url, grace, `?since=${max}`);
  expect(notes.map(({ seq, unread }) => [seq, unread])).toEqual([[max + 1, false]]);
});
