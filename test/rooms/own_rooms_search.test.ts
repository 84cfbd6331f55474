/** The search among one's own private rooms: what it finds, for whom, and that no other search notices them. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { RoomList, RoomRead } from "../../src/api/rooms/rooms.ts";
import { asOwner } from "../support/admin.ts";
import { get, post, send } from "../support/http.ts";
import { claim, type Holder } from "../support/names.ts";
import { closeRoom, open, speak, type Opened } from "../support/rooms.ts";
import { is_on_postgres } from "../support/postgres.ts";
import { stored } from "../support/stored.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { callTool } from "../support/tools.ts";

let service: SourceService;
let host: Holder;
let member: Holder;
let stranger: Holder;
beforeAll(async () => {
  service = await startSource();
  host = await claim(service.url, "Hana");
  member = await claim(service.url, "Mel");
  stranger = await claim(service.url, "Stan");
});
afterAll(() => service.stop());

async function openPrivate(goal: string, ...posts: string[]): Promise<Opened> {
  const opening = { goal, name: host.name, visibility: "private" };
  const room = (await post<Opened>(`${service.url}/api/meet/rooms`, opening, host.pair)).body;
  for (const body of posts) await post(`${room.api}/posts`, { name: host.name, body }, host.pair);
  return room;
}

const add = (room: Opened, name: string, role = "member") =>
  post(`${room.api}/members`, { name, role }, host.pair);

const find = async (holder: Holder, query: string) =>
  (await get<RoomList>(`${service.url}/api/meet/rooms?visibility=private&q=${query}`, holder.pair)).body;

const slugs = async (holder: Holder, query: string) =>
  (await find(holder, query)).rooms.map(({ slug }) => slug);

const moderate = (what: string, action: string) =>
  asOwner(service, "POST", `/api/admin/${what}/${action}`, { reason: "For the test" });

describe("a search among one's own private rooms", () => {
  test("finds goals and posts, each room once, with an excerpt and the role, in every form", async () => {
    const by_post = await openPrivate(
      "Which bird?",
      "A bluethroat, I think.",
      "No bluethroat at all.",
      "Other.",
    );
    const by_goal = await openPrivate("Where is the bluethroat?");
    await add(by_post, member.name, "reader");
    const { rooms, total, next, indexed_through } = await find(host, "BLUETHROAT");
    expect(rooms).toMatchObject([
      { slug: by_goal.slug, role: "host" },
      { slug: by_post.slug, role: "host", match: { n: 2, excerpt: "No bluethroat at all." } },
    ]);
    expect([rooms[0]!.match, total, next, typeof indexed_through]).toEqual([undefined, null, null, "string"]);
    expect((await find(member, "bluethroat")).rooms).toMatchObject([{ slug: by_post.slug, role: "reader" }]);
    const lean = await find(member, "bluethroat&fields=lean");
    expect(lean.rooms).toMatchObject([{ slug: by_post.slug, role: "reader", match: { n: 2 } }]);
    const path = `${service.url}/api/meet/rooms.md?visibility=private&q=bluethroat`;
    expect((await send("GET", path, member.pair)).body).toMatch(
      /: private, your role reader, by .*\n> Which bird\?\nin #2:\n> No bluethroat at all\./,
    );
    const args = { visibility: "private", query: "bluethroat" };
    const tool = await callTool(service.url, "meet_rooms", args, member.bearer);
    expect(tool.structuredContent).toMatchObject({ rooms: [{ role: "reader", match: { n: 2 } }] });
  });

  test("finds nothing of public and unlisted rooms, nor of private rooms of others", async () => {
    const elsewhere = await open(service.url, "A public ortolan", "public");
    await open(service.url, "An unlisted ortolan", "unlisted");
    await speak(elsewhere, "An ortolan in a post.");
    const room = await openPrivate("A private ortolan", "The ortolan again.");
    expect(await slugs(host, "ortolan")).toEqual([room.slug]);
    for (const other of [member, stranger]) expect(await slugs(other, "ortolan")).toEqual([]);
  });

  test("finds nothing for a former member, and at once what a new one may read", async () => {
    const room = await openPrivate("Who stays?", "The hoopoe stays.");
    expect(await slugs(member, "hoopoe")).toEqual([]);
    await add(room, member.name);
    expect(await slugs(member, "hoopoe")).toEqual([room.slug]);
    await send("DELETE", `${room.api}/members/${member.name}`, host.pair);
    expect(await slugs(member, "hoopoe")).toEqual([]);
    expect(await slugs(host, "hoopoe")).toEqual([room.slug]);
  });

  test("finds nothing for the next holder of the name of a member", async () => {
    const room = await openPrivate("Whose name?", "The wryneck is here.");
    const former = await claim(service.url, "Nell");
    await add(room, former.name);
    expect(await slugs(former, "wryneck")).toEqual([room.slug]);
    await moderate(`names/${former.name}`, "release");
    service.clock.advance(1000);
    expect(await slugs(await claim(service.url, former.name), "wryneck")).toEqual([]);
  });

  test("finds open and closed rooms, or those that are asked for", async () => {
    const opened = await openPrivate("Which kakapo?");
    const ended = await openPrivate("A kakapo that has gone");
    await closeRoom(ended);
    expect(await slugs(host, "kakapo")).toEqual([ended.slug, opened.slug]);
    expect(await slugs(host, "kakapo&closed=true")).toEqual([ended.slug]);
    expect(await slugs(host, "kakapo&closed=false")).toEqual([opened.slug]);
  });

  test("has each room on one page", async () => {
    const rooms: string[] = [];
    for (let i = 0; i < 5; i++) {
      const { slug, api } = await openPrivate(`Room ${i}`, "A moorhen.", "A second moorhen.");
      rooms.unshift(slug);
      await post(`${api}/posts`, { name: host.name, body: "No more." }, host.pair);
    }
    const found: string[] = [];
    let next: string | null | undefined;
    do {
      const page = await find(host, `moorhen&limit=2${next ? `&cursor=${next}` : ""}`);
      found.push(...page.rooms.map(({ slug }) => slug));
      next = page.next;
    } while (next);
    expect(found).toEqual(rooms);
    expect(await find(host, "moorhen&cursor=MQ")).toMatchObject({ code: "invalid_fields" });
    expect(await find(host, "moorhen&limit=101")).toMatchObject({ code: "invalid_fields" });
  });

  test("finds no text that was redacted, hidden, erased or deleted, and a restored one again", async () => {
    const room = await openPrivate("What is left?", "The first whinchat.", "A secret whinchat.");
    const stays = await openPrivate("A whinchat that stays");
    const ids = (await get<RoomRead>(room.api, host.pair)).body.posts.map(({ id }) => id);
    const match = async () =>
      (await find(host, "whinchat")).rooms.find(({ slug }) => slug === room.slug)?.match?.n;
    expect(await match()).toBe(2);
    await send("DELETE", `${room.api}/posts/2`, host.pair);
    expect(await match()).toBe(1);
    expect(await slugs(host, "secret")).toEqual([]);
    await moderate(`posts/${ids[0]}`, "hide");
    expect(await match()).toBeUndefined();
    await moderate(`posts/${ids[0]}`, "restore");
    expect(await match()).toBe(1);
    await moderate(`posts/${ids[0]}`, "erase");
    expect(await match()).toBeUndefined();
    await post(`${room.api}/posts`, { name: host.name, body: "The last whinchat." }, host.pair);
    expect(await match()).toBe(3);
    await moderate(`rooms/${room.slug}`, "delete");
    expect(await slugs(host, "whinchat")).toEqual([stays.slug]);
  });
});

test("no word of a text that was redacted, hidden, removed by age or deleted is left in the index", async () => {
  const words = [
    "siskinredacted",
    "siskinhidden",
    "siskinold",
    "siskingoal",
    "siskindeleted",
    "siskinpublic",
  ];
  const found = async (word: string) =>
    (await stored(service.directory, documents_with(word))).map(() => word)[0];
  const inIndex = async () => (await Promise.all(words.map(found))).filter(Boolean);
  const room = await openPrivate("What is left?", "A siskinold.", "A siskinredacted.", "A siskinhidden.");
  const deleted = await openPrivate("A siskingoal", "A siskindeleted.");
  await speak(await open(service.url, "Elsewhere"), "A siskinpublic.");
  const posts = (await get<RoomRead>(room.api, host.pair)).body.posts;
  expect(await slugs(host, "siskinhidden")).toEqual([room.slug]);
  expect(await inIndex()).toEqual(words.slice(0, -1));
  await send("DELETE", `${room.api}/posts/2`, host.pair);
  await moderate(`posts/${posts[2]!.id}`, "hide");
  expect(await inIndex()).toEqual(["siskinold", "siskingoal", "siskindeleted"]);
  await asOwner(service, "POST", "/api/admin/retention?posts_by_room=1");
  await moderate(`rooms/${deleted.slug}`, "delete");
  expect(await inIndex()).toEqual([]);
  await stored(service.directory, whole_index);
});

/** Finds what the index has of a word, in its pages, too. */
const documents_with = (word: string): string =>
  is_on_postgres
    ? `SELECT document FROM private_search WHERE words::text LIKE '%${word}%'`
    : `SELECT id FROM private_search_data WHERE instr(block, CAST('${word.slice(6)}' AS BLOB)) > 0 ` +
      `UNION SELECT rowid FROM private_search WHERE private_search MATCH '${word}'`;

/** Fails if the index is damaged. */
const whole_index = is_on_postgres
  ? "SELECT 1"
  : "INSERT INTO private_search (private_search) VALUES ('integrity-check')";

test("a search among public rooms has the same answers, cursors and totals with private rooms as without", async () => {
  for (let i = 0; i < 3; i++) await speak(await open(service.url, `Public dunlin ${i}`), "A dunlin.");
  const paths = [
    "rooms?q=dunlin&limit=2",
    "rooms?limit=3",
    "rooms?q=dunlin&closed=true",
    "rooms.md?q=dunlin",
  ];
  const read = async (headers = {}) => {
    const answers = [];
    for (const path of paths)
      answers.push((await send("GET", `${service.url}/api/meet/${path}`, headers)).body);
    return answers;
  };
  const before = await read();
  for (let i = 0; i < 3; i++) await openPrivate(`Private dunlin ${i}`, "A dunlin.", "Another dunlin.");
  for (const headers of [{}, host.pair, stranger.pair]) expect(await read(headers)).toEqual(before);
});
