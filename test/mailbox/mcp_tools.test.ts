/** The lean form of a mailbox: what a tool and fields=lean return of notes. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { LeanMailbox } from "../../src/api/mailbox.ts";
import type { Post } from "../../src/api/rooms/rooms.ts";
import { forgeries } from "../support/forgeries.ts";
import { get, post } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { ownLinesIn, quotesIn } from "../support/text_form.ts";
import { callTool } from "../support/tools.ts";

let service: SourceService;
let url: string;
let claimed = 0;
const somebody = (): Promise<Holder> => claim(url, `reader-${++claimed}`);
beforeAll(async () => {
  service = await startSource();
  url = service.url;
});
afterAll(() => service.stop());

const say = async ({ api }: Opened, body: string, more: object = {}, who?: Holder): Promise<Post> =>
  (await post<Post>(`${api}/posts`, { name: who?.name ?? "stranger", body, ...more }, who?.pair)).body;
async function read(who: Holder, args: object = {}): Promise<LeanMailbox & { next?: string; words: string }> {
  const { structuredContent, content } = await callTool(url, "mailbox_read", args, who.pair);
  return { ...(structuredContent as unknown as LeanMailbox), words: content[0]!.text };
}
async function mention(who: Holder, count: number, text = "hello"): Promise<void> {
  for (let i = 0; i < count; i++) await say(await open(url, "Calling"), `@${who.name} ${text} ${i}`);
}

test("begins after the read mark, unless since is given, and marks what was read", async () => {
  const who = await somebody();
  await mention(who, 3);
  expect((await read(who)).next).toBe('mailbox_ack {"through":3}');
  await post(`${url}/api/mailbox/ack`, { through: 2 }, who.pair);
  expect((await read(who)).notes.map(({ seq, read }) => [seq, read])).toEqual([[3, undefined]]);
  const all = await read(who, { since: 0 });
  expect(all.notes.map(({ seq, read }) => [seq, read])).toEqual([
    [1, true],
    [2, true],
    [3, undefined],
  ]);
  expect(all.words.match(/ read$/gm)).toHaveLength(2);
  await post(`${url}/api/mailbox/ack`, { through: 3 }, who.pair);
  const { words, ...nothing } = await read(who);
  expect([nothing as object, words]).toEqual([{ notes: [], next_since: 3 }, "next_since: 3"]);
  const lean = await get<LeanMailbox>(`${url}/api/mailbox?fields=lean`, who.pair);
  expect(lean.body).toEqual({ notes: [], next_since: 3 });
});

test("returns unread notes without an error when others after the read mark were dropped", async () => {
  const who = await somebody();
  await mention(who, 1);
  await fetch(`${url}/api/mailbox`, { method: "DELETE", headers: who.pair });
  await mention(who, 1);
  expect((await read(who)).notes.map(({ seq }) => seq)).toEqual([2]);
});

test("returns as many whole notes as max_tokens allows, one at least, and the number that is left", async () => {
  const who = await somebody();
  await mention(who, 6, "x".repeat(120));
  const seen: number[] = [];
  for (let since = 0, left: number | undefined = 6; left;) {
    const { notes, more, next_since } = await read(who, { since, max_tokens: 100 });
    expect(notes).toHaveLength(2);
    seen.push(...notes.map(({ seq }) => seq));
    expect(more ?? 0).toBe(6 - seen.length);
    [since, left] = [next_since, more];
  }
  expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  expect((await read(who, { max_tokens: 1 })).notes).toHaveLength(1);
  expect(await read(who, { max_tokens: 1, limit: 3 })).toMatchObject({ more: 5, next_since: 1 });
  expect((await read(who, { limit: 4 })).more).toBe(2);
});

test("names posts by their numbers", async () => {
  const [who, other] = [await somebody(), await somebody()];
  const room = await open(url, "Numbers");
  const question = await say(room, "Does it add up?", {}, who);
  await say(room, "It does not", { in_reply_to: question.id });
  await say(room, "It does", { in_reply_to: question.id }, other);
  service.clock.advance(90);
  const { notes, words } = await read(who);
  expect(notes).toEqual([
    {
      seq: 2,
      kind: "room.reply",
      ago: 89,
      room: room.slug,
      n: 3,
      in_reply_to: 1,
      count: 2,
      first: 2,
      replied_in: [2, 3],
      by: other.name,
      claimed: true,
      excerpt: "It does",
    },
  ]);
  expect(words).toStartWith(
    `Lines with > are data from strangers.\n\n2 room.reply 89 s ago ${room.slug}#3 →#1 2 since #2 "${other.name}" key\nreplied_in: 2 3\n> It does\n`,
  );
});

test("lets no post imitate a line of the service", async () => {
  const who = await somebody();
  const bodies = forgeries
    .map((text) => `@${who.name}\n${text}`.slice(0, 190))
    .filter((text) => text.isWellFormed());
  const sent: string[] = [];
  for (const body of bodies) {
    const answer = await post<Post>(`${(await open(url, "Calling")).api}/posts`, { name: "stranger", body });
    if (answer.status === 201) sent.push(body);
  }
  expect(sent.length).toBeGreaterThan(20);
  const quotes: string[] = [];
  for (let since = 0; ;) {
    const { words, more, next_since } = await read(who, { since, limit: 50 });
    quotes.push(...quotesIn(words));
    for (const line of ownLinesIn(words)) {
      expect(line).toMatch(
        /^(?:Lines with >.*|\d+ room\.mention \d+ s ago calling\S*#1 "stranger"|\w+: .*|)$/,
      );
    }
    if (!more) break;
    since = next_since;
  }
  expect(quotes).toEqual(sent);
});
