/** Posts that a rule removed: no way to read shows them, and every way that could miss them says what is missing. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import type { Post, RoomRead } from "../../src/api/rooms/rooms.ts";
import { asOwner, auditOf } from "../support/admin.ts";
import { get, post, send } from "../support/http.ts";
import { callTool } from "../support/tools.ts";
import { etagsOf, following, goalOf, prepare, type Prepared } from "../support/moderation.ts";
import { ways_to_read } from "../support/readings.ts";
import { open } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";

let service: SourceService;
beforeAll(async () => {
  service = await startSource();
});
afterAll(() => service.stop());

const removeBut = (posts: number) => asOwner(service, "POST", `/api/admin/retention?posts_by_room=${posts}`);
const note = (through: number, rule: string): RegExp =>
  new RegExp(`Posts 1 to ${through} were removed on 2026-03-\\d\\d: this instance stores ${rule}\\.`);
const newest_two = "the newest 2 posts of a room";

/** A room with the numbered posts `texts`; post 4 answers post 1, post 5 answers post 3. */
async function fivePosts() {
  const room = await open(service.url, "How do we name things?");
  const ids: string[] = [];
  const replies: Record<number, number> = { 4: 1, 5: 3 };
  for (let n = 1; n <= 5; n++) {
    const said = { name: "Bob", body: `The text of ${n}.`, ...(replies[n] && { in_reply_to: replies[n] }) };
    const { body } = await post<Post>(`${room.api}/posts?receipt=1`, said);
    ids.push(body.id);
    service.clock.advance(1);
  }
  return { ...room, ids, url: `${service.url}/meet/r/${room.slug}` };
}

describe("every way to read", () => {
  let place: Prepared;
  let etags: Map<string, string>;
  let open_before: Awaited<ReturnType<typeof following>>;
  beforeAll(async () => {
    place = await prepare(service);
    etags = await etagsOf(place);
    open_before = await following(service, place);
    await removeBut(1);
  });

  test("shows neither the text nor the salt of a removed post, with the ETag of before or without", async () => {
    for (const etag_of of [(name: string) => etags.get(name), () => undefined]) {
      for (const way of ways_to_read) {
        const { status, text } = await way.read(place, etag_of(way.name));
        const secrets = way.kind === "search" ? [place.salt] : [place.word, place.salt];
        expect([way.name, secrets.filter((secret) => text.includes(secret))]).toEqual([way.name, []]);
        if (way.kind === "search") expect([way.name, text.includes(place.slug)]).toEqual([way.name, false]);
        // A way by the number or id of the post is 410; the others have the room.
        if (status !== 200 && status !== 304) expect([way.name, status]).toEqual([way.name, 410]);
      }
    }
  });

  test("shows the room, its goal and the posts that are stored", async () => {
    for (const way of ways_to_read.filter(({ kind }) => kind === "room" || kind === "list")) {
      const { status, text } = await way.read(place);
      expect([way.name, status, text.includes(place.slug)]).toEqual([way.name, 200, true]);
    }
    const { body } = await get<RoomRead>(place.api);
    expect(body.posts.map(({ n }) => n)).toEqual([3]);
    expect(goalOf(place)).toBe(body.room.goal);
  });

  test("ends no wait and no stream; a later post arrives with the next number", async () => {
    await open_before.notified();
    expect(open_before.ended).toEqual({});
    const answers = await open_before.speak();
    for (const [name, { text }] of Object.entries(answers)) {
      expect([name, text.includes("Go on."), text.includes(place.word)]).toEqual([name, true, false]);
    }
    expect(await open_before.stream.next()).toMatchObject({ event: "post", data: { n: 4 } });
    await open_before.close();
  });

  test("leaves the note in the mailbox, without an excerpt", async () => {
    const { body } = await get<{ notes: { kind: string; excerpt?: string; room: string }[] }>(
      `${service.url}/api/mailbox?since=0`,
      place.mentioned.pair,
    );
    expect(body.notes).toMatchObject([{ kind: "room.mention", room: place.slug }]);
    expect(body.notes[0]!.excerpt).toBeUndefined();
  });

  test("finds words of the posts that are stored, and of later ones", async () => {
    const say = (body: string) => post(`${place.api}/posts`, { name: "Bob", body });
    await say("A later word: lindwurm.");
    const { body } = await get<{ rooms: { slug: string }[] }>(`${service.url}/api/meet/rooms?q=lindwurm`);
    expect(body.rooms.map(({ slug }) => slug)).toEqual([place.slug]);
  });
});

test("the room says which posts were removed, when and by which rule, in every form", async () => {
  const room = await fivePosts();
  await removeBut(2);
  const text = note(3, newest_two);
  const { body } = await get<RoomRead>(room.api);
  expect(body.room.removed).toMatchObject({ through: 3, at: expect.stringMatching(/^2026-03-0/) });
  expect(body.room.removed!.note).toMatch(text);
  expect([body.room.posts, body.total, body.more, body.posts.map(({ n }) => n)]).toEqual([
    5,
    5,
    false,
    [4, 5],
  ]);
  const lean = await get<{ removed: string; posts: { n: number; in_reply_to: number }[] }>(
    `${room.api}?fields=lean`,
  );
  expect(lean.body.removed).toMatch(text);
  expect(lean.body.posts.map(({ n, in_reply_to }) => [n, in_reply_to])).toEqual([
    [4, 1],
    [5, 3],
  ]);
  for (const path of [`${room.api}.md`, room.url, `${room.api}/export.jsonl`]) {
    const { body: shown } = await send("GET", path, { accept: "text/html, text/markdown, */*" });
    expect([path, text.test(shown)]).toEqual([path, true]);
    for (let n = 1; n <= 3; n++) expect([path, shown.includes(`The text of ${n}.`)]).toEqual([path, false]);
  }
  const tool = await callTool(service.url, "meet_read", { room: room.slug });
  expect(JSON.stringify(tool)).toMatch(text);
  const digest = await callTool(service.url, "meet_read", { room: room.slug, digest: true });
  expect(JSON.stringify(digest)).toMatch(text);
  for (const feed of ["feed.json", "feed.atom"]) {
    const shown = (await send("GET", `${room.api}/${feed}`)).body;
    expect([feed, shown.includes("The text of 4."), shown.includes("The text of 3.")]).toEqual([
      feed,
      true,
      false,
    ]);
  }
  const page = (await send("GET", room.url, { accept: "text/html" })).body;
  expect(page).toContain("Reply to #1, a post that was removed");
  expect(page).not.toContain("Earlier posts");
});

test("a reader who missed removed posts is informed, and one who has read them is not", async () => {
  const room = await fivePosts();
  await removeBut(2);
  const removedIn = async (query: string) =>
    (await get<{ removed?: string; posts: { n: number }[] }>(`${room.api}?fields=lean&${query}`)).body;
  for (const since of ["0", "1", "2", room.ids[0]!, "2026-01-01T00:00:00.000Z"]) {
    const { removed, posts } = await removedIn(`since=${since}`);
    expect([since, posts.map(({ n }) => n)]).toEqual([since, [4, 5]]);
    expect([since, removed]).toEqual([since, expect.stringMatching(/^Posts 1 to 3 were removed/)]);
  }
  for (const since of ["3", "4", room.ids[3]!]) {
    const { removed, posts } = await removedIn(`since=${since}`);
    expect([since, posts.length > 0, removed]).toEqual([since, true, undefined]);
  }
  expect((await get<RoomRead>(`${room.api}?before=2`)).body.posts).toEqual([]);
  expect((await get<RoomRead>(`${room.api}?before=${room.ids[1]}`)).body.posts).toEqual([]);
  expect((await get<RoomRead>(`${room.api}?before=5`)).body.posts.map(({ n }) => n)).toEqual([4]);
  const refused = await get<{ errors: { message: string }[] }>(`${room.api}?since=9`);
  expect([refused.status, refused.body.errors[0]!.message]).toEqual([
    422,
    "is not the number of a post of this room, which has #4 to #5",
  ]);
  // An id that no post ever had, and that of a post of another room, are no removed posts.
  const other = await fivePosts();
  for (const id of ["0190a3b0-0000-7000-8000-000000000000", other.ids[4]!]) {
    expect((await get(`${room.api}?since=${id}`)).status).toBe(422);
  }
});

test("a removed post is 410 by its number and by its id, and the posts that are stored are not", async () => {
  const room = await fivePosts();
  await removeBut(2);
  for (const ref of ["1", "3", room.ids[0]!, room.ids[2]!]) {
    for (const path of [`${room.url}/${ref}`, `${room.url}/${ref}.txt`]) {
      const answer = await get(path);
      expect([path, answer.status]).toEqual([path, 410]);
    }
    const redacted = await send("DELETE", `${room.api}/posts/${ref}`, { "x-meet-key": room.host_key! });
    expect([redacted.status, (JSON.parse(redacted.body) as { code: string }).code]).toEqual([
      410,
      "post_removed",
    ]);
    const reported = await post<{ code: string }>(`${room.api}/posts/${ref}/report`, { reason: "x" });
    expect([reported.status, reported.body.code]).toEqual([410, "post_removed"]);
    const reply = await post<{ code: string; detail: string }>(`${room.api}/posts`, {
      name: "Bob",
      body: "A reply.",
      in_reply_to: ref,
    });
    expect([reply.status, reply.body.code]).toEqual([410, "post_removed"]);
    expect(reply.body.detail).toMatch(note(3, newest_two));
  }
  expect((await send("GET", `${room.url}/4`, {})).status).toBe(302);
  const pages = { "/9": 404, "?before=2": 200, "/after/1": 200, "/post/1": 410 };
  for (const [path, status] of Object.entries(pages)) {
    expect([path, (await send("GET", `${room.url}${path}`)).status]).toEqual([path, status]);
  }
  // An answer without in_reply_to is to the first post, or to the goal if that was removed.
  const answered = await callTool(service.url, "meet_answer", {
    room: room.slug,
    name: "Bob",
    body: "An answer.",
  });
  expect(JSON.stringify(answered)).not.toContain("in_reply_to");
});

test("numbers are not used again, also when all posts of a room were removed", async () => {
  const room = await fivePosts();
  service.clock.advance(3600);
  await asOwner(service, "POST", "/api/admin/retention?keep_posts_seconds=60");
  const empty = (await get<RoomRead>(room.api)).body;
  expect([empty.posts, empty.total, empty.more]).toEqual([[], 5, false]);
  expect(empty.room.removed!.note).toMatch(note(5, "posts for 1 minute"));
  expect((await send("GET", room.url, { accept: "text/html" })).status).toBe(200);
  const next = await post<Post>(`${room.api}/posts`, { name: "Bob", body: "The sixth, with a zwergwort." });
  expect(next.body.n).toBe(6);
  const found = await get<{ rooms: { slug: string }[] }>(`${service.url}/api/meet/rooms?q=zwergwort`);
  expect(found.body.rooms.map(({ slug }) => slug)).toEqual([room.slug]);
  const { rooms } = (
    await get<{ rooms: { slug: string; posts: number }[] }>(`${service.url}/api/meet/rooms?limit=1`)
  ).body;
  expect(rooms).toMatchObject([{ slug: room.slug, posts: 6 }]);
});

test("a stream that resumes reports the removed posts that it missed, once", async () => {
  const room = await fivePosts();
  const stream_before = await readEvents(`${room.api}/stream?since=0`);
  const first = (await stream_before.next())!;
  await stream_before.close();
  await removeBut(2);
  const resumed = await readEvents(`${room.api}/stream`, { "last-event-id": first.id });
  const removed = (await resumed.next())!;
  expect(removed).toMatchObject({ event: "removed", data: { slug: room.slug, removed: { through: 3 } } });
  expect(await resumed.next()).toMatchObject({ event: "post", data: { n: 4 } });
  await resumed.close();
  const again = await readEvents(`${room.api}/stream`, { "last-event-id": removed.id });
  expect(await again.next()).toMatchObject({ event: "post", data: { n: 4 } });
  await again.close();
});

test("receipts of removed posts stay valid, and a repeated call has the same answer", async () => {
  const room = await open(service.url, "A room with receipts");
  const key = { "idempotency-key": crypto.randomUUID() };
  const said = { name: "Bob", body: "Signed." };
  const first = await post<Post & { receipt: string }>(`${room.api}/posts?receipt=1`, said, key);
  await post(`${room.api}/posts`, { name: "Bob", body: "Later." });
  await removeBut(1);
  const { body } = await post<{ verdict: string }>(`${service.url}/receipt/verify`, {
    receipt: first.body.receipt,
  });
  expect(body.verdict).toBe("valid");
  expect(decodeJwt(first.body.receipt)).toBeDefined();
  const again = await post<Post>(`${room.api}/posts?receipt=1`, said, key);
  expect([again.status, again.body.id, again.body.n, again.body.body]).toEqual([
    201,
    first.body.id,
    1,
    "Signed.",
  ]);
  expect(again.body.salt).toBeUndefined();
});

test("hidden and reported posts are removed like the others, and an admin finds them no more", async () => {
  const place = await prepare(service);
  await asOwner(service, "POST", `/api/admin/posts/${place.id}/hide`, { reason: "x" });
  await post(`${place.api}/posts/1/report`, { reason: "An address." });
  await removeBut(1);
  const restored = await asOwner(service, "POST", `/api/admin/posts/${place.id}/restore`, { reason: "x" });
  expect([restored.status, restored.body.code]).toEqual([404, "post_not_found"]);
  const { body } = await asOwner<{ reports: { room: string }[] }>(service, "GET", "/api/admin/reports");
  expect(body.reports.filter(({ room }) => room === place.slug)).toEqual([]);
  expect((await auditOf(service)).filter(({ actor }) => actor === "retention")).toEqual([]);
});
