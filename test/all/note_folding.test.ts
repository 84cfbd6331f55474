/** Mailboxes under many mentions: replies and mentions fold by room, and displace no notes of jobs and names. */

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Note } from "../../src/api/mailbox.ts";
import type { OpenedRoom, Post } from "../../src/api/rooms/rooms.ts";
import { call, get, post } from "../support/http.ts";
import { migrations } from "../../src/storage/migrations.ts";
import { newSecret, sha256Hex } from "../../src/core/secrets.ts";
import { callJob, notesOf, postJob, readMailbox } from "../support/jobs.ts";
import { claim, holder, type Holder } from "../support/names.ts";
import { seededRandom } from "../../src/dev/random.ts";
import { moveToEngine } from "../support/moved.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";
import { callTool } from "../support/tools.ts";

let service: SourceService;
let url: string;
let victim: Holder;
let worker: Holder;
beforeEach(async () => {
  service = await startSource({ held_jobs_by_name: 1_000 });
  url = service.url;
  [victim, worker] = [await claim(url, "victim"), await claim(url, "worker")];
});
afterEach(() => service.stop());

const open = async (goal = "Calling") =>
  (await post<OpenedRoom>(`${url}/api/meet/rooms`, { goal, name: "x" })).body;
const say = async ({ api }: OpenedRoom, body: string, more: object = {}, who?: Holder): Promise<Post> =>
  (await post<Post>(`${api}/posts`, { name: who?.name ?? "stranger", body, ...more }, who?.pair)).body;
const ack = (through: number) => post(`${url}/api/mailbox/ack`, { through }, victim.pair);

/** Runs `run` for each number up to `count`, fifty at a time. */
async function many(count: number, run: (n: number) => Promise<unknown>): Promise<void> {
  for (let begun = 0; begun < count; begun += 50) {
    await Promise.all(Array.from({ length: Math.min(50, count - begun) }, (_, n) => run(begun + n)));
  }
}
/** Delivers a job of the victim's: its notes must not get lost. */
async function deliver(): Promise<void> {
  const { id } = await postJob(url, victim);
  await callJob(url, worker, id, "claim");
  expect((await callJob(url, worker, id, "deliver", { result: "done" })).status).toBe(201);
}
const kinds = (notes: Note[]) => notes.map(({ kind }) => kind);

test("folds 1,010 anonymous mentions in a room into one note, and keeps the note of a delivered job", async () => {
  await deliver();
  const room = await open();
  const first = await say(room, "@victim 0");
  await many(1_008, (n) => say(room, `@victim ${n + 1}`));
  const last = await say(room, "@victim 1009");
  const { notes, count, unread } = await readMailbox(url, victim, "?limit=1000");
  expect(kinds(notes as Note[])).toEqual(["job.claimed", "job.delivered", "room.mention"]);
  expect([count, unread]).toEqual([3, 3]);
  const author = { kind: "room.mention", by: "stranger", by_claimed: false };
  expect(notes[2] as Note).toMatchObject({
    room: room.slug,
    post: last.id,
    at: last.ts,
    count: 1_010,
    first: { ...author, post: first.id, at: first.ts },
    last: { ...author, post: last.id, at: last.ts },
  });
});

test("keeps 1,000 notes of rooms beside those of jobs and names after mentions in 1,010 rooms", async () => {
  await deliver();
  await many(1_010, async (n) => say(await open(`Room ${n}`), "@victim"));
  const { notes, count } = await readMailbox(url, victim, "?limit=1000");
  expect(kinds(notes.slice(0, 3) as Note[])).toEqual(["job.claimed", "job.delivered", "room.mention"]);
  expect([notes[2]!.seq, count]).toEqual([13, 1_002]);
});

test("displaces no note of a room by notes of jobs", async () => {
  await say(await open(), "@victim");
  const { id } = await postJob(url, victim);
  for (let turn = 0; turn < 505; turn++) {
    await callJob(url, worker, id, "claim");
    await callJob(url, worker, id, "release");
  }
  const { notes, count } = await readMailbox(url, victim, "?limit=1000");
  expect(kinds(notes.slice(0, 2) as Note[])).toEqual(["room.mention", "job.claimed"]);
  expect([notes[0]!.seq, notes[1]!.seq, count]).toEqual([1, 12, 1_001]);
});

describe("folding", () => {
  test("combines replies and mentions by room; the note keeps its id and moves to the end", async () => {
    const [one, two] = [await open("one"), await open("two")];
    const question = await say(one, "Does it add up?", {}, victim);
    const mention = await say(one, "@victim look");
    const [before] = await notesOf(url, victim);
    await say(two, "@victim");
    const reply = await say(one, "It does", { in_reply_to: question.id }, worker);
    const notes = await notesOf(url, victim);
    expect(notes.map(({ seq, room }) => [seq, room])).toEqual([
      [2, "two"],
      [3, "one"],
    ]);
    expect(notes[0]).toMatchObject({ count: 1 });
    expect(notes[0]).not.toHaveProperty("first");
    expect(notes[1]).toEqual({
      id: before!.id,
      seq: 3,
      at: reply.ts,
      kind: "room.reply",
      room: "one",
      post: reply.id,
      by: "worker",
      by_claimed: true,
      in_reply_to: question.id,
      n: 3,
      unread: true,
      excerpt: "It does",
      count: 2,
      mentioned_in: [2],
      replied_in: [3],
      first: {
        kind: "room.mention",
        at: mention.ts,
        post: mention.id,
        n: 2,
        by: "stranger",
        by_claimed: false,
      },
      last: {
        kind: "room.reply",
        at: reply.ts,
        post: reply.id,
        n: 3,
        by: "worker",
        by_claimed: true,
        in_reply_to: question.id,
      },
    } as never);
  });

  test("begins a new note after the note is acknowledged", async () => {
    const room = await open();
    await say(room, "@victim 1");
    await say(room, "@victim 2");
    await ack(2);
    await say(room, "@victim 3");
    await say(room, "@victim 4");
    expect((await notesOf(url, victim)).map(({ seq, count }) => [seq, count])).toEqual([
      [2, 2],
      [4, 2],
    ]);
    // An acknowledgement from before the note moved leaves the rest of it unread.
    await say(room, "@victim 5");
    await ack(4);
    await say(room, "@victim 6");
    expect((await notesOf(url, victim)).map(({ seq, count }) => [seq, count])).toEqual([
      [2, 2],
      [6, 2],
    ]);
    expect((await readMailbox(url, victim, "?count")).unread).toBe(1);
  });

  test("is visible to waits and streams beyond the note's old place", async () => {
    const room = await open();
    await say(room, "@victim 1");
    const stream = await readEvents(`${url}/api/mailbox/stream?since=1`, victim.pair);
    const waiting = readMailbox(url, victim, "?since=1&wait_seconds=50");
    const tool = callTool(url, "mailbox_read", { since: 1, wait_seconds: 50 }, victim.pair);
    while (service.open().waits < 2) await service.clock.turn();
    await say(room, "@victim 2");
    expect((await waiting).notes).toMatchObject([{ seq: 2, count: 2 }]);
    expect(await stream.next()).toMatchObject({ id: "000000000002", data: { seq: 2, count: 2 } });
    expect((await tool).structuredContent).toMatchObject({ notes: [{ seq: 2 }], next_since: 2 });
    await say(room, "@victim 3");
    expect(await stream.next()).toMatchObject({ id: "000000000003", data: { seq: 3, count: 3 } });
    await stream.close();
    const { content } = await callTool(url, "mailbox_read", {}, victim.pair);
    expect(content[0]!.text).toMatch(/^3 room\.mention 0 s ago calling#3 3 since #1 "stranger"$/m);
    expect(content[0]!.text).not.toContain("[object");
  });

  test("reports no lost note for the place that a note has left", async () => {
    const room = await open();
    for (let n = 1; n <= 3; n++) await say(room, `@victim ${n}`);
    for (const since of [0, 1, 2]) {
      expect(await readMailbox(url, victim, `?since=${since}`)).toMatchObject({
        notes: [{ seq: 3, count: 3 }],
      });
    }
  });
});

describe("a since before dropped notes", () => {
  test("answers 410 and the oldest stored note of either kind", async () => {
    await many(1_003, async (n) => say(await open(`Room ${n}`), "@victim"));
    await deliver();
    expect((await get(`${url}/api/mailbox?since=2`, victim.pair)).body).toMatchObject({
      status: 410,
      code: "notes_pruned",
      oldest: 4,
    });
    expect((await get(`${url}/api/mailbox?since=3&limit=1`, victim.pair)).body).toMatchObject({
      notes: [{ seq: 4 }],
    });
  });

  test("returns a page if older notes of the other kind are stored, and `dropped_through`", async () => {
    await deliver();
    await many(1_003, async (n) => say(await open(`Room ${n}`), "@victim"));
    const page = await readMailbox(url, victim, "?since=1&limit=2");
    expect(page).toMatchObject({
      notes: [{ seq: 2, kind: "job.delivered" }, { seq: 6 }],
      dropped_through: 5,
    });
    expect(await readMailbox(url, victim, "?since=5&limit=1")).not.toHaveProperty("dropped_through");
    expect(await readMailbox(url, victim, "?limit=1")).not.toHaveProperty("dropped_through");
    // A stream sends notes only, so it begins where none is missing.
    const stream = `${url}/api/mailbox/stream`;
    const { status, body } = await get<{ code: string; hint: string }>(`${stream}?since=1`, victim.pair);
    expect([status, body.code]).toEqual([410, "notes_pruned"]);
    const advised = await readEvents(`${stream}?since=${/since=(\d+)/.exec(body.hint)![1]}`, victim.pair);
    expect(advised.response.status).toBe(200);
    expect(await advised.next()).toMatchObject({ data: { seq: 6 } });
    await advised.close();
    const { structuredContent, content } = await callTool(url, "mailbox_read", { since: 1 }, victim.pair);
    expect(structuredContent).toMatchObject({ dropped_through: 5 });
    expect(content[0]!.text).toMatch(/^dropped_through: 5$/m);
    await call("DELETE", `${url}/api/mailbox`, undefined, victim.pair);
    expect((await get(`${url}/api/mailbox?since=5`, victim.pair)).body).toMatchObject({ oldest: 1_006 });
  });
});

/** Writes a database of the release before this one, with a mailbox that had dropped its first two notes. */
function writeEarlierRelease(directory: string, who: Holder): void {
  const database = new Database(join(directory, "wharf.db"));
  const before = migrations.findIndex((sql) => sql.includes("dropped_through"));
  for (const sql of migrations.slice(0, before)) database.run(sql);
  database.run(`PRAGMA user_version = ${before}`);
  const at = "2026-03-01T12:00:00.000Z";
  const columns = "canonical, name, created, key_sha256, key_changed, recovery_sha256, last_act";
  database
    .query(`INSERT INTO names (${columns}) VALUES (?1, ?1, ?2, ?3, ?2, '', ?2)`)
    .run(who.name, at, sha256Hex(who.key));
  database.query("INSERT INTO mailboxes (owner, last_seq, read_through) VALUES (?1, 7, 4)").run(who.name);
  const note = database.query(
    "INSERT INTO notes (owner, seq, id, at, kind, content) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
  );
  const mention = (room: string, n: number) =>
    JSON.stringify({ room, post: `post ${n}`, by: "x", by_claimed: false });
  note.run(who.name, 3, "c", at, "job.delivered", JSON.stringify({ job: "j", title: "t", by: "x" }));
  note.run(who.name, 4, "d", at, "room.mention", mention("calling", 4));
  for (const seq of [5, 6, 7])
    note.run(who.name, seq, `note ${seq}`, at, "room.mention", mention("calling", seq));
  database.close();
}

test("migrates a mailbox of an earlier release, with what it dropped and its unfolded unread notes", async () => {
  const data_dir = newDirectory();
  const ada = holder("ada", newSecret("wfk_", seededRandom(9)));
  writeEarlierRelease(data_dir, ada);
  await moveToEngine(data_dir);
  const carried = await startSource({ data_dir });
  const read = (query: string) => readMailbox(carried.url, ada, query);
  expect(await read("")).toMatchObject({ count: 5, unread: 3 });
  expect((await read("?since=2")).notes.map(({ seq, count }) => [seq, count])).toEqual([
    [3, undefined],
    [4, 1],
    [5, 1],
    [6, 1],
    [7, 1],
  ]);
  expect(await read("?since=1")).toMatchObject({ status: 410, oldest: 3 });
  const rooms = `${carried.url}/api/meet/rooms`;
  const { api } = (await post<OpenedRoom>(rooms, { goal: "Calling", name: "x" })).body;
  await post(`${api}/posts`, { name: "x", body: "@ada" });
  const { notes, unread } = await read("?since=4");
  expect(notes).toMatchObject([{ id: "note 5", seq: 8, count: 4, first: { post: "post 5" } }]);
  expect(unread).toBe(1);
  await carried.stop();
  removeDirectory(data_dir);
});
