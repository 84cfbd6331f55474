/** What notes show beside their kind: an excerpt, whether they are unread and whether their room is unlisted. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { codePoints } from "../../src/core/text.ts";
import type { Note } from "../../src/api/mailbox.ts";
import type { Post } from "../../src/api/rooms/rooms.ts";
import { call, post } from "../support/http.ts";
import { callJob, notesOf, postJob, readMailbox } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";

let service: SourceService;
let url: string;
let claimed = 0;
const somebody = (): Promise<Holder> => claim(url, `reader-${++claimed}`);
beforeAll(async () => {
  service = await startSource();
  url = service.url;
});
afterAll(() => service.stop());

const say = async ({ api }: Opened, body: string): Promise<Post> =>
  (await post<Post>(`${api}/posts`, { name: "stranger", body })).body;
const noteOf = async (who: Holder, seq: number): Promise<Note> =>
  (await notesOf(url, who)).find((note) => note.seq === seq)!;

test("shows a short post whole, and a long one cut at a word to 200 code points", async () => {
  const who = await somebody();
  const short = `@${who.name}\nwhat  now? 🙂`;
  await say(await open(url, "Calling"), short);
  const full = `@${who.name} ${"🙂".repeat(200 - who.name.length - 2)}`;
  await say(await open(url, "Calling"), full);
  const long = `@${who.name} ${"🙂🙂 ".repeat(100)}`;
  await say(await open(url, "Calling"), long);
  const [first, second, third] = await notesOf(url, who);
  expect([first!.excerpt, second!.excerpt]).toEqual([short, full]);
  const excerpt = third!.excerpt!;
  expect(codePoints(excerpt)).toBeLessThanOrEqual(200);
  expect(codePoints(excerpt)).toBeGreaterThan(190);
  expect(excerpt).toEndWith("🙂🙂…");
  expect(long).toStartWith(excerpt.slice(0, -1));
});

test("shows nothing of a post after its redaction", async () => {
  const who = await somebody();
  const room = await open(url, "Calling");
  const { id } = await say(room, `@${who.name} secret`);
  expect((await noteOf(who, 1)).excerpt).toBe(`@${who.name} secret`);
  await call("DELETE", `${room.api}/posts/${id}`, undefined, { "x-meet-key": room.host_key! });
  expect(await noteOf(who, 1)).not.toHaveProperty("excerpt");
});

test("shows the detail of a job, then its result, with its deliverer's notes as well", async () => {
  const [who, worker] = [await somebody(), await somebody()];
  const { id } = await postJob(url, who, { detail: "d ".repeat(300) });
  await callJob(url, worker, id, "claim");
  expect((await noteOf(who, 1)).excerpt).toBe(`${"d ".repeat(98)}d…`);
  await callJob(url, worker, id, "deliver", { result: "It has 52 words." });
  await callJob(url, who, id, "review", { verdict: "accepted" });
  expect((await noteOf(who, 2)).excerpt).toBe("It has 52 words.");
  expect((await noteOf(worker, 1)).excerpt).toBe("It has 52 words.");
});

test("says that a room is unlisted, and says nothing of it for a public one", async () => {
  const who = await somebody();
  await say(await open(url, "Calling", "unlisted"), `@${who.name} come in`);
  await say(await open(url, "Calling"), `@${who.name} come in`);
  expect((await notesOf(url, who)).map(({ unlisted }) => unlisted)).toEqual([true, undefined]);
});

test("marks the notes after the read mark as unread, in pages and in streams", async () => {
  const who = await somebody();
  for (let i = 0; i < 3; i++) await say(await open(url, "Calling"), `@${who.name}`);
  await post(`${url}/api/mailbox/ack`, { through: 2 }, who.pair);
  expect((await notesOf(url, who)).map(({ unread }) => unread)).toEqual([false, false, true]);
  const stream = await readEvents(`${url}/api/mailbox/stream?since=1`, who.pair);
  expect(await stream.next()).toMatchObject({ data: { seq: 2, unread: false, excerpt: `@${who.name}` } });
  expect(await stream.next()).toMatchObject({ data: { seq: 3, unread: true } });
  await stream.close();
});

test("returns a next_since that skips no note, also of an empty or a partial page", async () => {
  const who = await somebody();
  expect((await readMailbox(url, who)).next_since).toBe(0);
  for (let i = 0; i < 3; i++) await say(await open(url, "Calling"), `@${who.name}`);
  const seen: number[] = [];
  for (let since = 0; ;) {
    const { notes, next_since } = await readMailbox(url, who, `?since=${since}&limit=2`);
    if (notes.length === 0) {
      expect(next_since).toBe(since);
      break;
    }
    seen.push(...notes.map(({ seq }) => seq));
    since = next_since;
  }
  expect(seen).toEqual([1, 2, 3]);
});

test("shows the excerpts of a page of 250 notes", async () => {
  const who = await somebody();
  for (let i = 0; i < 250; i++) await say(await open(url, "Calling"), `@${who.name} ${i}`);
  expect((await notesOf(url, who, "?limit=1000")).map(({ excerpt }) => excerpt)).toEqual(
    Array.from({ length: 250 }, (_, i) => `@${who.name} ${i}`),
  );
});
