/** Folded notes name their posts, show what is around a mention, and lose by an acknowledgement only what its sender has seen. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { codePoints } from "../../src/core/text.ts";
import type { LeanMailbox, Mailbox, Note } from "../../src/api/mailbox.ts";
import type { Post } from "../../src/api/rooms/rooms.ts";
import { canonicalName } from "../../src/names/canonical.ts";
import { unreadRest } from "../../src/mailbox/folding.ts";
import { mailbox_internal_limits } from "../../src/mailbox/limits.ts";
import { asOwner } from "../support/admin.ts";
import { call, get, post } from "../support/http.ts";
import { notesOf, readMailbox } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";
import { withStored } from "../support/stored.ts";
import { callTool } from "../support/tools.ts";

let service: SourceService;
let url: string;
let claimed = 0;
const somebody = (): Promise<Holder> => claim(url, `reader-${++claimed}`);
beforeAll(async () => {
  service = await startSource({ rooms_per_hour_by_address: 1_000 });
  url = service.url;
});
afterAll(() => service.stop());

const say = async ({ api }: Opened, body: string, more: object = {}, who?: Holder): Promise<Post> =>
  (await post<Post>(`${api}/posts`, { name: who?.name ?? "stranger", body, ...more }, who?.pair)).body;
const ack = (who: Holder, through: number) => post(`${url}/api/mailbox/ack`, { through }, who.pair);
const onlyNote = async (who: Holder): Promise<Note> => {
  const notes = await notesOf(url, who);
  expect(notes).toHaveLength(1);
  return notes[0]!;
};
const posts = ({ count, n, mentioned_in, replied_in, more }: Note) => ({
  count,
  n,
  ...(mentioned_in && { mentioned_in }),
  ...(replied_in && { replied_in }),
  ...(more !== undefined && { more }),
});

describe("the posts of a folded note", () => {
  test("are named with the reason, in every form in which a note is shown", async () => {
    const who = await somebody();
    const room = await open(url, "Calling");
    const question = await say(room, "Who helps?", {}, who);
    await say(room, `@${who.name} come in`);
    await say(room, "Nothing for anybody");
    const news = get<{ notes: object[] }>(`${url}/api/wait?mailbox=1&wait_seconds=50`, who.pair);
    await service.clock.timerAt(50);
    await say(room, "I do", { in_reply_to: question.id });
    expect((await news).body.notes).toMatchObject([{ seq: 2, mentioned_in: [2], replied_in: [4] }]);
    const stream = await readEvents(`${url}/api/mailbox/stream?since=2`, who.pair);
    const last = await say(room, `@${who.name} and?`);
    const named = { mentioned_in: [2, 5], replied_in: [4] };
    expect(posts(await onlyNote(who))).toEqual({ count: 3, n: 5, ...named });
    expect(await stream.next()).toMatchObject({ data: { seq: 3, ...named, post: last.id } });
    await stream.close();
    const lean = { seq: 3, count: 3, first: 2, ...named };
    expect((await get<LeanMailbox>(`${url}/api/mailbox?fields=lean`, who.pair)).body.notes).toMatchObject([
      lean,
    ]);
    for (const [tool, args, member] of [
      ["mailbox_read", {}, "notes"],
      ["wait", { mailbox: 0 }, "notes"],
    ] as const) {
      const { structuredContent, content } = await callTool(url, tool, args, who.pair);
      expect((structuredContent as Record<string, object[]>)[member]).toMatchObject([lean]);
      expect(content[0]!.text).toMatch(
        /^3 room\.mention 0 s ago calling\S*#5 3 since #2 "stranger"\nmentioned_in: 2 5, replied_in: 4$/m,
      );
    }
    const page = await (await fetch(`${url}/me/mailbox`, { headers: who.pair })).text();
    for (const n of [2, 4, 5]) expect(page).toContain(`href="${url}/meet/r/${room.slug}/${n}"`);
    expect(page).toMatch(/Mentions:.*#2.*#5.*Replies:.*#4/s);
    expect(JSON.stringify(await onlyNote(who))).not.toContain("excerpt_from");
    expect(await onlyNote(who)).not.toHaveProperty("posts");
  });

  test("are not named in a note of one post", async () => {
    const who = await somebody();
    await say(await open(url, "Calling"), `@${who.name}`);
    expect(posts(await onlyNote(who))).toEqual({ count: 1, n: 1 });
  });

  test("are the latest 20, with the number of those before", async () => {
    const who = await somebody();
    const room = await open(url, "Calling");
    for (let n = 1; n <= 20; n++) await say(room, `@${who.name} ${n}`);
    expect(await onlyNote(who)).not.toHaveProperty("more");
    for (let n = 21; n <= 125; n++) await say(room, `@${who.name} ${n}`);
    const named = Array.from({ length: 20 }, (_, i) => 106 + i);
    expect(posts(await onlyNote(who))).toEqual({ count: 125, n: 125, mentioned_in: named, more: 105 });
    const { content } = await callTool(url, "mailbox_read", {}, who.pair);
    expect(content[0]!.text).toContain(`\nmentioned_in: ${named.join(" ")}, more: 105\n`);
  });

  test("are named only as far as they are stored", async () => {
    const who = await somebody();
    const room = await open(url, "Calling");
    for (let n = 1; n <= 6; n++) await say(room, `@${who.name} ${n}`);
    await asOwner(service, "POST", "/api/admin/retention?posts_by_room=3");
    expect(posts(await onlyNote(who))).toEqual({ count: 6, n: 6, mentioned_in: [4, 5, 6] });
  });

  test("are not named if their room is deleted", async () => {
    const who = await somebody();
    const room = await open(url, "Calling");
    for (let n = 1; n <= 3; n++) await say(room, `@${who.name} ${n}`);
    await asOwner(service, "POST", `/api/admin/rooms/${room.slug}/delete`, { reason: "For the test" });
    expect(posts(await onlyNote(who))).toEqual({ count: 3, n: undefined });
  });
});

describe("an acknowledgement", () => {
  test("divides a bounded number of notes, the earliest first, and leaves the others whole", async () => {
    const who = await somebody();
    const room = await open(url, "Calling");
    for (let n = 1; n <= 3; n++) await say(room, `@${who.name} ${n}`);
    const owner = canonicalName(who.name);
    const max = mailbox_internal_limits.notes_divided_max;
    const more = 5;
    await withStored(service.directory, async ({ run }) => {
      for (let i = 1; i < max + more; i++)
        await run(
          "INSERT INTO notes (owner, seq, id, at, kind, content, room) " +
            "SELECT owner, $1, $2, at, kind, content, $3 FROM notes WHERE owner = $4 AND seq = 3",
          ...[3 + i, crypto.randomUUID(), `room-${i}`, owner],
        );
      await run("UPDATE mailboxes SET last_seq = $1 WHERE owner = $2", 2 + max + more, owner);
    });
    await ack(who, 1);
    const counts = (await notesOf(url, who, `?limit=${max + more}`)).map(({ count }) => count);
    expect(counts).toEqual([...Array<number>(max).fill(2), ...Array<number>(more).fill(3)]);
  });

  test("covers what its sender has seen, not what was folded in since", async () => {
    const who = await somebody();
    const room = await open(url, "Calling");
    for (let n = 1; n <= 6; n++) await say(room, `@${who.name} ${n}`);
    const { seq, id } = await onlyNote(who);
    const late = await say(room, `@${who.name} 7`);
    expect((await ack(who, seq)).body).toEqual({ through: 6, unread: 1 });
    const rest = await onlyNote(who);
    expect(rest).toMatchObject({ seq: 7, id, unread: true, post: late.id, excerpt: late.body! });
    expect(posts(rest)).toEqual({ count: 1, n: 7 });
    for (const member of ["first", "last"]) expect(rest).not.toHaveProperty(member);
    expect((await ack(who, 7)).body).toEqual({ through: 7, unread: 0 });
  });

  test("leaves a note that begins with the first post after it", async () => {
    const who = await somebody();
    const room = await open(url, "Calling");
    const question = await say(room, "Who helps?", {}, who);
    await say(room, `@${who.name} 2`);
    await say(room, `@${who.name} 3`);
    const reply = await say(room, "I do", { in_reply_to: question.id });
    const last = await say(room, `@${who.name} 5`);
    await ack(who, 2);
    const rest = await onlyNote(who);
    expect(posts(rest)).toEqual({ count: 2, n: 5, mentioned_in: [5], replied_in: [4] });
    expect(rest.first).toEqual({
      kind: "room.reply",
      at: reply.ts,
      post: reply.id,
      n: 4,
      by: "stranger",
      by_claimed: false,
      in_reply_to: question.id,
    });
    expect(rest.last).toMatchObject({ post: last.id });
    await say(room, `@${who.name} 6`);
    const grown = await onlyNote(who);
    expect(posts(grown)).toEqual({ count: 3, n: 6, mentioned_in: [5, 6], replied_in: [4] });
    expect(grown.first).toEqual(rest.first!);
    await ack(who, 4);
    expect(posts(await onlyNote(who))).toEqual({ count: 1, n: 6 });
  });

  test("takes what its sender has seen out of the notes of all rooms, and leaves others alone", async () => {
    const who = await somebody();
    const [one, two, three] = [await open(url, "One"), await open(url, "Two"), await open(url, "Three")];
    await say(one, `@${who.name} 1`);
    await say(two, `@${who.name} 1`);
    const { next_since } = await readMailbox(url, who);
    await say(one, `@${who.name} 2`);
    await say(two, `@${who.name} 2`);
    await say(two, `@${who.name} 3`);
    await say(three, `@${who.name} 1`);
    await say(three, `@${who.name} 2`);
    await ack(who, next_since);
    const { notes, unread } = await readMailbox(url, who);
    expect(unread).toBe(3);
    expect(notes.map((note) => posts(note))).toEqual([
      { count: 1, n: 2 },
      { count: 2, n: 3, mentioned_in: [2, 3] },
      { count: 2, n: 2, mentioned_in: [1, 2] },
    ]);
  });

  test("leaves no post out of a count that has come after what its sender saw, also if it is not named any more", async () => {
    const who = await somebody();
    const [room, other] = [await open(url, "Calling"), await open(url, "Other")];
    for (let n = 1; n <= 3; n++) await say(room, `@${who.name} ${n}`);
    const { seq } = await onlyNote(who);
    await say(other, `@${who.name}`);
    for (let n = 4; n <= 120; n++) await say(room, `@${who.name} ${n}`);
    await ack(who, seq);
    const [, rest] = await notesOf(url, who);
    expect(posts(rest!)).toMatchObject({ count: 118, n: 120, more: 98 });
    await ack(who, 120);
    expect(posts((await notesOf(url, who)).at(-1)!)).toEqual({ count: 1, n: 120 });
  });

  test("leaves what may have come later in a note of an earlier release, which knows its first and last post alone", () => {
    const about = { room: "calling", post: "id", n: 6, by: "x", by_claimed: false };
    const folded = { ...about, count: 6, first: { n: 1 }, last: { n: 6 } };
    const note = { id: "a", kind: "room.mention" as const, at: "2026", seq: 9, content: folded };
    const known = [[9, 6, 0]];
    expect(unreadRest(note, 2)).toBeNull();
    expect(unreadRest(note, 5)).toEqual({ ...folded, count: 4, posts: known, read_from: 1 });
    expect(unreadRest(note, 8)).toEqual({ ...about, read_from: 1 });
  });

  test("by the button of the page covers what the page shows", async () => {
    const who = await somebody();
    const room = await open(url, "Calling");
    await say(room, `@${who.name} 1`);
    await say(room, `@${who.name} 2`);
    const page = await (await fetch(`${url}/me/mailbox`, { headers: who.pair })).text();
    const through = /name="through" value="(\d+)"/.exec(page)![1]!;
    await say(room, `@${who.name} 3`);
    const form = new URLSearchParams({ through });
    const headers = { ...who.pair, origin: url };
    await fetch(`${url}/me/mailbox`, { method: "POST", body: form, headers, redirect: "manual" });
    expect(posts(await onlyNote(who))).toEqual({ count: 1, n: 3 });
    expect((await get<Mailbox>(`${url}/api/mailbox?count`, who.pair)).body.unread).toBe(1);
  });
});

describe("the excerpt of a mention", () => {
  const words = (count: number): string => "word ".repeat(count);

  test("is around a mention that is not at the beginning", async () => {
    const who = await somebody();
    await say(await open(url, "Calling"), `${words(100)}@${who.name} come in 🙂 ${words(100)}`);
    const { excerpt } = await onlyNote(who);
    expect(excerpt).toMatch(new RegExp(`^…(word )+@${who.name} come in 🙂 (word )+word…$`));
    expect(codePoints(excerpt!)).toBeLessThanOrEqual(200);
    expect(codePoints(excerpt!)).toBeGreaterThan(180);
  });

  test("is the end of a post that ends with the mention, after characters of two units", async () => {
    const who = await somebody();
    await say(await open(url, "Calling"), `${"🙂 ".repeat(300)}then @${who.name}`);
    const { excerpt } = await onlyNote(who);
    expect(excerpt).toMatch(new RegExp(`^…(🙂 )+then @${who.name}$`, "u"));
    expect(codePoints(excerpt!)).toBeGreaterThan(180);
  });

  test("is the latest mention's in a folded note, and gone with the post's text", async () => {
    const who = await somebody();
    const room = await open(url, "Calling");
    await say(room, `@${who.name} first`);
    const { id } = await say(room, `${words(100)}@${who.name} secret`);
    expect((await onlyNote(who)).excerpt).toEndWith(`@${who.name} secret`);
    await say(room, `@${who.name} third`);
    expect((await onlyNote(who)).excerpt).toBe(`@${who.name} third`);
    const other = await open(url, "Other");
    const hidden = await say(other, `${words(100)}@${who.name} secret`);
    await call("DELETE", `${other.api}/posts/${hidden.id}`, undefined, { "x-meet-key": other.host_key! });
    const notes = await notesOf(url, who);
    expect(JSON.stringify(notes)).not.toContain("secret");
    expect(notes.at(-1)).not.toHaveProperty("excerpt");
    expect(id).toBeString();
  });

  test("is the whole post if it is short, and the beginning if the mention is there", async () => {
    const who = await somebody();
    const short = `${words(30)}@${who.name} ok`;
    await say(await open(url, "Calling"), short);
    await say(await open(url, "Calling"), `${words(15)}@${who.name} ${words(100)}`);
    const [whole, begun] = await notesOf(url, who);
    expect(whole!.excerpt).toBe(short);
    expect(begun!.excerpt).toStartWith(`${words(15)}@${who.name} word`);
  });
});
