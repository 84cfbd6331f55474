/** Numbers of posts: 1, 2, 3, … within a room, and the positions that callers give by them. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Post, RoomRead } from "../../src/api/rooms/rooms.ts";
import { call, get, post, send } from "../support/http.ts";
import { open, type Opened } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";

let service: SourceService;
beforeAll(async () => {
  service = await startSource();
});
afterAll(() => service.stop());

async function say(room: Opened, body: string, more: object = {}, headers: Record<string, string> = {}) {
  const answer = await post<Post>(`${room.api}/posts`, { name: "Ada", body, ...more }, headers);
  expect(answer.status).toBe(201);
  return answer.body;
}
const read = async (room: Opened, query = "") => (await get<RoomRead>(room.api + query)).body;
const numbers = (posts: Post[]): number[] => posts.map(({ n }) => n);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

test("gives 64 racing posts the numbers 1 to 64, in the order of their times", async () => {
  const room = await open(service.url, "A race");
  const other = await open(service.url, "Another race");
  const said = await Promise.all(
    upTo(64).map((i) => Promise.all([say(room, `post ${i}`), say(other, `other ${i}`)])),
  );
  for (const [i, { slug }] of [room, other].entries()) {
    const { posts } = (await get<RoomRead>(`${service.url}/api/meet/rooms/${slug}`)).body;
    expect(numbers(posts)).toEqual(upTo(64));
    expect(posts.map(({ ts }) => ts)).toEqual(posts.map(({ ts }) => ts).toSorted());
    const answered = said.map((both) => both[i]!).toSorted((a, b) => a.n - b.n);
    expect(answered.map(({ id }) => id)).toEqual(posts.map(({ id }) => id));
  }
});

test("keeps the number of a redacted post, and never gives it to another", async () => {
  const room = await open(service.url, "Nothing moves");
  await say(room, "one");
  const last = await say(room, "two");
  const redacted = await call<Post>("DELETE", `${room.api}/posts/${last.n}`, undefined, {
    "x-meet-key": room.host_key,
  });
  expect(redacted.body).toMatchObject({ id: last.id, n: 2, redacted: "host" });
  expect((await say(room, "three")).n).toBe(3);
  expect(numbers((await read(room)).posts)).toEqual([1, 2, 3]);
});

test("returns the number in the answer to a repeated call, in exports and in streams", async () => {
  const room = await open(service.url, "Everywhere");
  const first = await say(room, "one");
  const once = { "idempotency-key": crypto.randomUUID() };
  const second = await say(room, "two", { in_reply_to: "#1" }, once);
  expect(second).toMatchObject({ n: 2, in_reply_to: first.id });
  expect(await say(room, "two", { in_reply_to: "#1" }, once)).toEqual(second);
  const lines = (await (await fetch(`${room.api}/export.jsonl`)).text()).trim().split("\n");
  expect(lines.slice(1).map((line) => (JSON.parse(line) as Post).n)).toEqual([1, 2]);
  const stream = await readEvents(`${room.api}/stream?since=1`);
  expect((await stream.next())!.data).toMatchObject({ n: 2, id: second.id });
  await stream.close();
});

test.each(["57", "#57", "id", "time"])("reads around a post given by %s", async (form) => {
  const room = await open(service.url, `Around ${form}`);
  await Promise.all(upTo(6).map((i) => say(room, `post ${i}`)));
  const { posts } = await read(room);
  const { id, ts } = posts[2]!;
  const at = { 57: "3", "#57": "%233", id: id.toUpperCase(), time: ts }[form]!;
  expect(numbers((await read(room, `?since=${at}`)).posts)).toEqual([4, 5, 6]);
  expect(numbers((await read(room, `?before=${at}`)).posts)).toEqual([1, 2]);
  if (form === "time") return;
  for (const in_reply_to of form === "57" ? [3, "3"] : [decodeURIComponent(at)]) {
    expect((await say(room, "Indeed.", { in_reply_to })).in_reply_to).toBe(id);
  }
});

test("reads from the beginning with since=0, also in a room without posts", async () => {
  const room = await open(service.url, "From the beginning");
  expect((await read(room, "?since=0")).posts).toEqual([]);
  await say(room, "one");
  expect(numbers((await read(room, "?since=0")).posts)).toEqual([1]);
});

test("refuses numbers that no post has, with those that there are", async () => {
  const room = await open(service.url, "Refusals");
  const of_none = "is not the number of a post of this room, which has none";
  expect((await get(`${room.api}?since=1`)).body.errors).toEqual([{ path: "since", message: of_none }]);
  await say(room, "one");
  await say(room, "two");
  const message = "is not the number of a post of this room, which has #1 to #2";
  for (const path of ["since", "before"]) {
    const { status, body } = await get(`${room.api}?${path}=3`);
    expect([status, body.errors]).toEqual([422, [{ path, message }]]);
  }
  for (const in_reply_to of [3, 0, -1, "#3", "0"]) {
    const { status, body } = await post(`${room.api}/posts`, { name: "Ada", body: "?", in_reply_to });
    expect([status, body.errors]).toEqual([422, [{ path: "/in_reply_to", message }]]);
  }
  const { body } = await post(`${room.api}/posts`, { name: "Ada", body: "?", in_reply_to: 1.5 });
  expect(body.errors).toEqual([
    { path: "/in_reply_to", message: "must be a whole number or a string or null" },
  ]);
});

test("leads from the permalink of a post to it on the page of its room", async () => {
  for (const visibility of ["public", "unlisted"]) {
    const room = await open(service.url, `Linked ${visibility}`, visibility);
    await say(room, "one");
    const second = await say(room, "two", { in_reply_to: 1 });
    const url = `${service.url}/meet/r/${room.slug}`;
    const noindex = visibility === "unlisted" ? "noindex" : null;
    for (const ref of ["2", "%232", second.id]) {
      const { status, headers } = await send("GET", `${url}/${ref}`, { accept: "text/html" });
      expect([status, headers.get("location")]).toEqual([302, `${url}#p-${second.id}`]);
      expect(headers.get("x-robots-tag")).toBe(noindex);
    }
    const page = (await send("GET", url, { accept: "text/html" })).body;
    expect(page).toContain(`<li class="post" id="p-${second.id}" data-n="2">`);
    expect(page).toContain(`<a class="number" href="${url}/2">#2</a>`);
    expect(page).toMatch(/<summary>1 reply<\/summary><ol class="replies"><li class="post"[^>]* data-n="2"/);
    const twin = (await send("GET", `${url}/2.md`)).headers.get("location");
    expect(twin).toBe(`${room.api}.md?since=1`);
    const { body } = await send("GET", twin!);
    expect([body.includes("two"), body.includes("one")]).toEqual([true, false]);
    const missing = await get(`${url}/3`);
    expect([missing.status, missing.body.code]).toEqual([404, "post_not_found"]);
  }
});
