/** A post of a host adds those whom it mentions, in its transaction; each finds a note about its role and one about the post. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { openStorageOf, type AppStorage } from "../../../src/app/storage.ts";
import { room_limits } from "../../../src/api/limits.ts";
import type { OpenedRoom } from "../../../src/api/rooms/rooms.ts";
import { sha256Hex } from "../../../src/core/secrets.ts";
import { default_config } from "../../../src/core/settings.ts";
import type { SpeakInput, Stored } from "../../../src/rooms/posting.ts";
import { FakeClock } from "../../support/clock.ts";
import { get, post } from "../../support/http.ts";
import { notesOf } from "../../support/jobs.ts";
import { fill, openPrivate, putMember, rolesIn, sayAs } from "../../support/members.ts";
import { claim, type Holder } from "../../support/names.ts";
import { databaseOf } from "../../support/postgres.ts";
import { startSource, type SourceService } from "../../support/service.ts";

let service: SourceService;
let storage: AppStorage;
let url: string;
let [ann, bob, cid]: Holder[] = [];
let room: OpenedRoom;
let said = 0;
beforeEach(async () => {
  service = await startSource({}, new FakeClock(), 1, async (data_dir, clock, log) => {
    const config = { ...default_config, data_dir, ...databaseOf(data_dir) };
    return (storage = await openStorageOf(config, { clock, log }));
  });
  ({ url } = service);
  [ann, bob, cid] = [await claim(url, "Ann"), await claim(url, "Bob"), await claim(url, "Cid")];
  room = await openPrivate(url, ann);
});
afterEach(() => service.stop());

function inputOf({ name, key }: Holder, slug: string, body: string, more: Partial<SpeakInput>): SpeakInput {
  const identity = { name, canonical: name.toLowerCase(), key_sha256: sha256Hex(key) };
  const id = `019ca945-0a00-7000-8000-${String(++said).padStart(12, "0")}`;
  const post = { identity, room: slug, id, name, body, salt: "00".repeat(16), in_reply_to: null };
  return { ...post, now_ms: service.clock.now(), add_members: true, ...more };
}

/** Posts and adds those whom the post mentions. */
const add = async (
  who: Holder,
  slug: string,
  body: string,
  more: Partial<SpeakInput> = {},
): Promise<Stored> => (await storage.write("rooms.speak", inputOf(who, slug, body, more))).result;

/** The code of the refusal of a post. */
const codeOf = (posting: Promise<unknown>): Promise<string> =>
  posting.then(
    () => "none",
    (error: { definition: { code?: string } }) => JSON.stringify(error.definition),
  );

test("makes claimed names that it mentions members, who find both notes and read the post", async () => {
  const { mentioned } = await add(ann!, room.slug, "Hello @Bob, @cid and @nobody");
  expect(mentioned).toBe("220");
  expect(await rolesIn(room, bob!)).toEqual({ Ann: "host", Bob: "member", Cid: "member" });
  const [added, mention] = await notesOf(url, bob!);
  expect(added).toMatchObject({
    kind: "room.added",
    room: room.slug,
    by: "Ann",
    by_claimed: true,
    role: "member",
  });
  expect(added).not.toHaveProperty("count");
  expect(mention).toMatchObject({
    kind: "room.mention",
    excerpt: "Hello @Bob, @cid and @nobody",
    also: ["cid", "nobody"],
  });
  expect((await get(room.api, cid!.pair)).status).toBe(200);
});

test("the opener is a host, also if another node has timed its claim later", async () => {
  const { name, pair, key } = ann!;
  await storage.write("rooms.open", {
    ...{ goal: "Earlier", name, visibility: "private", slugs: ["private--earlier"] },
    identity: { name, canonical: "ann", key_sha256: sha256Hex(key) },
    host_key_sha256: "",
    now_ms: service.clock.now() - 400,
  });
  expect((await get(`${url}/api/meet/rooms/private--earlier`, pair)).status).toBe(200);
});

test("changes the role of nobody who is a member, and puts no note about one", async () => {
  await putMember(room, ann!.pair, "Bob", "reader");
  await add(ann!, room.slug, "Hello @Bob and @Ann");
  expect(await rolesIn(room, ann!)).toEqual({ Ann: "host", Bob: "reader" });
  expect((await notesOf(url, bob!)).map(({ kind }) => kind)).toEqual(["room.added", "room.mention"]);
  expect(await notesOf(url, ann!)).toEqual([]);
});

test("adds by a quiet post, too: whoever is added finds the note about that alone", async () => {
  const { mentioned } = await add(ann!, room.slug, "Hello @Bob", { quiet: true });
  expect(mentioned).toBe("1");
  expect((await notesOf(url, bob!)).map(({ kind }) => kind)).toEqual(["room.added"]);
  expect((await sayAs(room, bob!, "Hello")).status).toBe(201);
});

test("adds nobody without it", async () => {
  const { mentioned } = await add(ann!, room.slug, "Hello @Bob", { add_members: false });
  expect(mentioned).toBe("1");
  expect(await rolesIn(room, ann!)).toEqual({ Ann: "host" });
  expect(await notesOf(url, bob!)).toEqual([]);
});

test("adds each name once in posts that are stored together", async () => {
  await Promise.all(["@Bob", "@bob @Cid", "@Bob @Cid"].map((body) => add(ann!, room.slug, body)));
  expect(await rolesIn(room, ann!)).toEqual({ Ann: "host", Bob: "member", Cid: "member" });
  const kinds = (await notesOf(url, bob!)).map(({ kind, count }) => [kind, count]);
  expect(kinds).toEqual([
    ["room.added", undefined],
    ["room.mention", 3],
  ]);
});

test("is refused for those who are no hosts, and in other rooms; nothing is posted", async () => {
  await putMember(room, ann!.pair, "Bob");
  expect(await codeOf(add(bob!, room.slug, "Hello @Cid"))).toContain("The host key is needed");
  expect(await codeOf(add(cid!, room.slug, "Hello @Cid"))).toContain("There is no such room");
  const opening = { goal: "For all", name: "Ann" };
  for (const visibility of ["public", "unlisted"]) {
    const { slug } = (await post<OpenedRoom>(`${url}/api/meet/rooms`, { ...opening, visibility }, ann!.pair))
      .body;
    expect(await codeOf(add(ann!, slug, "Hello @Cid"))).toContain("The room has no members");
    expect((await get<{ room: { posts: number } }>(`${url}/api/meet/rooms/${slug}`)).body.room.posts).toBe(0);
  }
  expect(await rolesIn(room, ann!)).toEqual({ Ann: "host", Bob: "member" });
  expect(await notesOf(url, cid!)).toEqual([]);
});

test("is refused as a whole if the room would have too many members, and not the posts beside it", async () => {
  await fill(url, room, ann!.pair, room_limits.members_max - 2);
  const posting = [
    add(ann!, room.slug, "@Bob @Cid"),
    add(ann!, room.slug, "@Bob"),
    add(ann!, room.slug, "@Cid"),
  ];
  const codes = await Promise.all(posting.map(codeOf));
  expect(codes).toEqual([
    expect.stringContaining("The room is full"),
    "none",
    expect.stringContaining("The room is full"),
  ]);
  expect(Object.keys(await rolesIn(room, ann!))).toHaveLength(room_limits.members_max);
  expect(await notesOf(url, cid!)).toEqual([]);
});
