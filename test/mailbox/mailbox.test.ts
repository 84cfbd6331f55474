/** Mailboxes: reads, waits, streams and acknowledgements, over real HTTP. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openStorageOf } from "../../src/app/storage.ts";
import { default_config } from "../../src/core/settings.ts";
import type { OpenedRoom, Post } from "../../src/api/rooms/rooms.ts";
import type { Mailbox } from "../../src/api/mailbox.ts";
import { call, get, post } from "../support/http.ts";
import { callJob, notesOf, postJob, readMailbox } from "../support/jobs.ts";
import { claim, holder, type Holder } from "../support/names.ts";
import { databaseOf } from "../support/postgres.ts";
import { startSource, type TestService } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";
import { callTool } from "../support/tools.ts";

describe("mailboxes", () => {
  let service: TestService;
  let url: string;
  let claimed = 0;
  const somebody = (name: string): Promise<Holder> => claim(url, `${name} ${++claimed}`);
  beforeAll(async () => {
    service = await startSource({ rooms_per_hour_by_address: 1_000 });
    url = service.url;
  });
  afterAll(() => service.stop());

  /** Puts `count` notes into the mailbox of `who`: each is of a mention in a room of its own, for those of one room fold. */
  async function mention(who: Holder, count: number): Promise<void> {
    const body = `@${who.name.replaceAll(" ", "-")} hello`;
    const inNewRoom = async () => {
      const { api } = (await post<OpenedRoom>(`${url}/api/meet/rooms`, { goal: "Calling", name: "x" })).body;
      return post(`${api}/posts`, { name: "x", body });
    };
    for (let sent = 0; sent < count; sent += 50) {
      const posts = Array.from({ length: Math.min(50, count - sent) }, inNewRoom);
      for (const { status } of await Promise.all(posts)) expect(status).toBe(201);
    }
  }
  const ack = (who: Holder, through: unknown) =>
    post<{ through: number; unread: number }>(`${url}/api/mailbox/ack`, { through }, who.pair);

  test("returns an empty mailbox", async () => {
    const who = await somebody("Quiet");
    const { status, headers, body } = await get<Mailbox>(`${url}/api/mailbox`, who.pair);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    const treat_as = expect.stringContaining("data") as unknown as string;
    expect(body).toEqual({
      name: who.name,
      notes: [],
      count: 0,
      unread: 0,
      next: null,
      next_since: 0,
      treat_as,
    });
    expect((await readMailbox(url, who, "?since=0")).notes).toEqual([]);
  });

  test("is readable by its holder only", async () => {
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["DELETE", "", undefined],
      ["POST", "/ack", { through: 0 }],
      ["GET", "/stream", undefined],
    ] as const) {
      const bare = await call(method, `${url}/api/mailbox${path}`, body);
      expect([bare.status, bare.body.code]).toEqual([401, "credential_required"]);
    }
  });

  test("numbers notes without gaps, and neither repeats nor misses one after since", async () => {
    const who = await somebody("Called");
    await mention(who, 7);
    const all = await readMailbox(url, who);
    expect(all.notes.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(all).toMatchObject({ count: 7, unread: 7, next: null });
    expect((await notesOf(url, who, "?since=4")).map(({ seq }) => seq)).toEqual([5, 6, 7]);
    expect(await notesOf(url, who, "?since=7")).toEqual([]);
    const seen: number[] = [];
    for (let query = "?limit=3"; query;) {
      const { notes, next } = await readMailbox(url, who, query);
      seen.push(...notes.map(({ seq }) => seq));
      query = next ? `?limit=3&cursor=${next}` : "";
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await readMailbox(url, who)).toEqual(all);
  });

  test("returns only the count with ?count", async () => {
    const who = await somebody("Counted");
    await mention(who, 3);
    await ack(who, 1);
    expect(await readMailbox(url, who, "?count")).toEqual({ name: who.name, count: 3, unread: 2 } as never);
    expect(await readMailbox(url, who, "?count=1")).not.toHaveProperty("notes");
  });

  test("moves the read mark only forward, and not beyond the latest note", async () => {
    const who = await somebody("Reader");
    await mention(who, 5);
    expect((await ack(who, 3)).body).toEqual({ through: 3, unread: 2 });
    expect((await ack(who, 1)).body).toEqual({ through: 3, unread: 2 });
    expect((await readMailbox(url, who)).notes).toHaveLength(5);
    const beyond = await ack(who, 6);
    expect(beyond.status).toBe(422);
    expect((await ack(who, 5)).body).toEqual({ through: 5, unread: 0 });
    for (const wrong of [-1, 1.5, "three", null, undefined]) expect((await ack(who, wrong)).status).toBe(422);
  });

  test("is empty after it was cleared, and continues its numbers", async () => {
    const who = await somebody("Cleared");
    await mention(who, 3);
    const { status, body } = await call("DELETE", `${url}/api/mailbox`, undefined, who.pair);
    expect([status, body]).toEqual([200, { cleared: true }]);
    expect(await readMailbox(url, who)).toMatchObject({ notes: [], count: 0, unread: 0 });
    expect((await notesOf(url, who, "?since=3")).length).toBe(0);
    await mention(who, 1);
    expect((await notesOf(url, who, "?since=3")).map(({ seq }) => seq)).toEqual([4]);
    expect(await readMailbox(url, who)).toMatchObject({ count: 1, unread: 1 });
  });

  test("keeps 1,000 notes, and answers 410 with the oldest to an earlier since", async () => {
    const who = await somebody("Popular");
    await mention(who, 1_005);
    const { notes, count, next } = await readMailbox(url, who, "?limit=1000");
    expect([notes.length, notes[0]!.seq, notes.at(-1)!.seq, count, next]).toEqual([
      1_000,
      6,
      1_005,
      1_000,
      null,
    ]);
    expect(await notesOf(url, who, "?since=5&limit=1")).toMatchObject([{ seq: 6 }]);
    for (const path of ["?since=4", "?since=0", "/stream?since=4"]) {
      const { status, body } = await get<{ code: string; oldest: number }>(
        `${url}/api/mailbox${path}`,
        who.pair,
      );
      expect([status, body.code, body.oldest]).toEqual([410, "notes_pruned", 6]);
    }
    const resumed = { ...who.pair, "last-event-id": "000000000004" };
    expect((await get(`${url}/api/mailbox/stream`, resumed)).status).toBe(410);
  });

  test.each(["since=-1", "since=x", "limit=0", "limit=1001", "wait_seconds=281", "cursor=x", "since=1e3"])(
    "refuses ?%s",
    async (query) => {
      const who = await somebody("Wrong");
      expect((await get(`${url}/api/mailbox?${query}`, who.pair)).status).toBe(422);
    },
  );

  test("holds an answer with wait_seconds until a note arrives", async () => {
    const who = await somebody("Waiting");
    const waiting = readMailbox(url, who, "?wait_seconds=50");
    await mention(who, 1);
    expect((await waiting).notes).toMatchObject([{ seq: 1, kind: "room.mention" }]);
  });

  test("streams from the current time or from where the stream ended", async () => {
    const who = await somebody("Streaming");
    await mention(who, 2);
    const stream = await readEvents(`${url}/api/mailbox/stream`, who.pair);
    expect(stream.response.headers.get("content-type")).toStartWith("text/event-stream");
    await mention(who, 1);
    const event = (await stream.next())!;
    expect(event).toMatchObject({ event: "note", id: "000000000003" });
    expect(event.data).toMatchObject({ seq: 3, kind: "room.mention", treat_as: expect.any(String) });
    await stream.close();
    await mention(who, 1);
    for (const resumed of [
      await readEvents(`${url}/api/mailbox/stream`, { ...who.pair, "last-event-id": event.id }),
      await readEvents(`${url}/api/mailbox/stream?since=3`, who.pair),
    ]) {
      expect(await resumed.next()).toMatchObject({ data: { seq: 4 } });
      await resumed.close();
    }
  });

  test("begins a stream at the current time after an unusable Last-Event-ID, so that EventSource reconnects", async () => {
    const who = await somebody("Unusable");
    await mention(who, 2);
    const unusable = ["nonsense", "", "-1", "1e3", "9".repeat(30), "01a2009e-1f78-76e6-8ce9-1e75ed597537"];
    let seq = 2;
    for (const id of unusable) {
      for (const query of ["", "?since=1"]) {
        const headers = { ...who.pair, "last-event-id": id };
        const stream = await readEvents(`${url}/api/mailbox/stream${query}`, headers);
        expect([id, query, stream.response.status]).toEqual([id, query, 200]);
        await mention(who, 1);
        expect(await stream.next()).toMatchObject({ data: { seq: ++seq } });
        await stream.close();
      }
    }
    expect((await get(`${url}/api/mailbox/stream?since=nonsense`, who.pair)).status).toBe(422);
  });

  test("sends a note when a key is rotated, recovered or revoked", async () => {
    const who = await somebody("Careful");
    const { body } = await post<{ key: string }>(`${url}/api/name/rotate`, undefined, who.pair);
    await post(`${url}/api/name/revoke`, { key: body.key });
    const { name, recovery_code } = who;
    const again = await post<{ key: string }>(`${url}/api/name/recover`, { name, recovery_code });
    const notes = await notesOf(url, holder(name, again.body.key));
    expect(notes.map(({ kind, how }) => [kind, how])).toEqual([
      ["name.key_changed", "rotated"],
      ["name.key_changed", "revoked"],
      ["name.key_changed", "recovered"],
    ]);
  });

  test("orders notes of jobs and rooms together", async () => {
    const [who, other] = [await somebody("Busy"), await somebody("Worker")];
    const { id } = await postJob(url, who);
    await callJob(url, other, id, "claim");
    await mention(who, 1);
    await callJob(url, other, id, "deliver", { result: "done" });
    expect((await notesOf(url, who)).map(({ kind }) => kind)).toEqual([
      "job.claimed",
      "room.mention",
      "job.delivered",
    ]);
  });
});

test("ends a wait without a note after wait_seconds", async () => {
  const service = await startSource();
  const who = await claim(service.url, "Patient");
  const waiting = readMailbox(service.url, who, "?wait_seconds=50");
  await service.clock.timerAt(50);
  service.clock.advance(50);
  expect(await waiting).toMatchObject({ notes: [], count: 0 });
  await service.stop();
});

test("treats a since beyond the latest note as the latest, and returns later notes", async () => {
  const reads = { under_way: 0 };
  const service = await startSource({}, undefined, undefined, async (data_dir, clock, log) => {
    const config = { ...default_config, data_dir, ...databaseOf(data_dir) };
    const storage = await openStorageOf(config, { clock, log });
    const read = storage.read.bind(storage);
    storage.read = (query) => (reads.under_way++, read(query).finally(() => reads.under_way--));
    return storage;
  });
  const { url, clock } = service;
  const who = await claim(url, "Ahead");
  const { api } = (await post<OpenedRoom>(`${url}/api/meet/rooms`, { goal: "Calling", name: "x" })).body;
  const mention = () => post(`${api}/posts`, { name: "x", body: "@Ahead hello" });
  await mention();
  const stream = await readEvents(`${url}/api/mailbox/stream?since=9`, who.pair);
  const waiting = readMailbox(url, who, "?since=9&wait_seconds=50");
  await clock.timerAt(50);
  // The wait has to find out what the latest note is before the next one comes.
  while (reads.under_way > 0) await clock.turn();
  await mention();
  expect(await stream.next()).toMatchObject({ data: { seq: 2 } });
  clock.advance(50);
  expect((await waiting).notes).toMatchObject([{ seq: 2 }]);
  const read = await callTool(url, "mailbox_read", { since: 9 }, who.pair);
  expect(read.structuredContent).toMatchObject({ notes: [], next_since: 2 });
  await stream.close();
  await service.stop();
});

describe("replies and mentions", () => {
  let service: TestService;
  let url: string;
  let ada: Holder;
  let bob: Holder;
  let room: OpenedRoom;
  const say = async (body: string, more: object = {}, who?: Holder): Promise<Post> =>
    (await post<Post>(`${room.api}/posts`, { name: who?.name ?? "x", body, ...more }, who?.pair)).body;
  /** The kinds of the notes that have come since the last call. */
  let seen = { ada: 0, bob: 0 };
  async function news(): Promise<{ ada: string[]; bob: string[] }> {
    const fresh = {
      ada: await notesOf(url, ada, `?since=${seen.ada}`),
      bob: await notesOf(url, bob, `?since=${seen.bob}`),
    };
    seen = { ada: fresh.ada.at(-1)?.seq ?? seen.ada, bob: fresh.bob.at(-1)?.seq ?? seen.bob };
    return { ada: fresh.ada.map(({ kind }) => kind), bob: fresh.bob.map(({ kind }) => kind) };
  }
  beforeAll(async () => {
    service = await startSource();
    url = service.url;
    [ada, bob] = [await claim(url, "Ada Lovelace"), await claim(url, "b0b")];
    room = (await post<OpenedRoom>(`${url}/api/meet/rooms`, { goal: "Told apart", name: "x" })).body;
  });
  afterAll(() => service.stop());

  test("notifies a mentioned name that never posted in the room", async () => {
    const said = await say("What does @ada-lovelace think?", { name: "Grace" });
    expect(await notesOf(url, ada)).toEqual([
      {
        id: expect.any(String),
        seq: 1,
        at: said.ts,
        kind: "room.mention",
        room: room.slug,
        post: said.id,
        by: "Grace",
        by_claimed: false,
        count: 1,
        n: 1,
        unread: true,
        excerpt: said.body,
      },
    ] as never);
    expect(await news()).toEqual({ ada: ["room.mention"], bob: [] });
  });

  test("notifies the author of the post that is answered, once for each reply", async () => {
    const question = await say("Does it add up?", {}, ada);
    const answer = await say(
      "It does, @Ada_Lovelace @ada.lovelace @BOB @bob",
      { in_reply_to: question.id },
      bob,
    );
    expect(await news()).toEqual({ ada: ["room.reply"], bob: [] });
    const [note] = (await notesOf(url, ada)).slice(-1);
    expect(note).toMatchObject({ post: answer.id, in_reply_to: question.id, by: "b0b", by_claimed: true });
    await say("@bob, @b0b and again @BoB: look, @ada-lovelace");
    expect(await news()).toEqual({ ada: ["room.mention"], bob: ["room.mention"] });
  });

  test("notifies nobody of their own posts", async () => {
    const own = await say("I, @ada-lovelace, answer myself", {}, ada);
    await say("and again", { in_reply_to: own.id }, ada);
    expect(await news()).toEqual({ ada: [], bob: [] });
  });

  test("notifies nobody of a reply to an unclaimed speaker, a refused post or an unclaimed name", async () => {
    const question = await say("Who am I?", { name: "Passing" });
    await say("Nobody.", { in_reply_to: question.id });
    await say("@nobody-at-all @x");
    await say("@bob", { in_reply_to: "no such post" });
    await say(`@bob ${"x".repeat(4_000)}`);
    expect(await news()).toEqual({ ada: [], bob: [] });
  });

  test("does not take other text for a mention", async () => {
    const long = "b".repeat(65);
    const no_mentions = [
      "bob@example.org",
      "me@bob",
      "@bobby",
      "@bobé",
      "@bob-é",
      "@ bob",
      "@@bob",
      "éé@bob",
      `@bob${long}`,
    ];
    for (const body of no_mentions) {
      await say(body);
      expect([body, (await news()).bob]).toEqual([body, []]);
    }
    for (const body of ["@bob.", "(@bob)", "@bob's", "“@b0b”", "x\n@bob\n", "@bob_", "cc:@bob,@bob"]) {
      await say(body);
      expect([body, (await news()).bob]).toEqual([body, ["room.mention"]]);
    }
  });

  test("notifies the first ten claimed names of many mentions", async () => {
    const crowd: Holder[] = [];
    for (let n = 0; n < 12; n++) crowd.push(await claim(url, `Crowd-${n}`));
    await say(crowd.map(({ name }) => `@${name}`).join(" "));
    const counts = await Promise.all(crowd.map(async (who) => (await notesOf(url, who)).length));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(10);
  });

  test("notifies the names in the question that opens a room", async () => {
    await callTool(url, "meet_ask", { question: "@bob, are you there?", name: "Grace" });
    expect(await news()).toEqual({ ada: [], bob: ["room.mention"] });
  });
});
