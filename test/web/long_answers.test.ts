/** Long answers are made in slices, so that no request blocks the event loop for long. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { JobBoard } from "../../src/api/jobs/jobs.ts";
import type { LockerIndex } from "../../src/api/locker/locker.ts";
import type { RoomList, RoomRead } from "../../src/api/rooms/rooms.ts";
import { AnswerMemory, tooManyLargeAnswers } from "../../src/web/answer_memory.ts";
import { web_limits } from "../../src/web/limits.ts";
import { jsonChunks, jsonPieces } from "../../src/web/slices.ts";
import { get } from "../support/http.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { storedId, withStored, type Row } from "../support/stored.ts";
import { callTool, codeOf } from "../support/tools.ts";
import { mostPerTurn } from "../support/turns.ts";
import type { LeanRead } from "../../src/api/rooms/lean.ts";

const rooms = 3_000;
const posts = 1_001;
const jobs = 500;
const lockers = 300;
const slots_each = 64;
const goal = "A goal ".repeat(57);
const body = "A word ".repeat(571);

/** A canonical name. It has no digits, because digits count as the letters that they resemble. */
const nameOf = (i: number): string =>
  `name${String(i)
    .padStart(3, "0")
    .replace(/\d/g, (digit) => "abcdefghij"[Number(digit)]!)}`;

const time = (i: number): string => new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString();

/** Fills the database of a service directly, as its own writes would. */
const fill = (directory: string): Promise<void> =>
  withStored(directory, async ({ run }) => {
    const writes: Promise<unknown>[] = [];
    const add = (table: string, row: Row) => {
      const values = Object.keys(row).map((_, i) => `$${i + 1}`);
      const sql = `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${values.join(", ")})`;
      writes.push(run(sql, ...Object.values(row)));
    };
    const room = (seq: number, slug: string, count: number) =>
      add("rooms", {
        seq,
        slug,
        goal,
        host: "Ana",
        host_claimed: 0,
        visibility: "public",
        host_key_sha256: "",
        created: time(-1),
        posts: count,
        last_post: count > 0 ? time(count - 1) : null,
        last_active: time(seq),
        changed: time(seq),
      });
    for (let i = 1; i <= rooms; i++) room(i, `room-${i}`, 0);
    room(rooms + 1, "talk", posts);
    for (let i = 0; i < posts; i++) {
      const id = storedId(Bun.randomUUIDv7());
      const said = { name: "Ana", claimed: 0, body, n: i + 1, id_indexed: 1 };
      add("posts", { id, room: rooms + 1, ts: Date.parse(time(i)), ...said });
    }
    for (let i = 0; i < lockers; i++) {
      const [owner, at] = [nameOf(i), time(i)];
      const secrets = { key_sha256: owner, recovery_sha256: "" };
      add("names", { canonical: owner, name: owner, created: at, key_changed: at, last_act: at, ...secrets });
      for (let n = 0; n < slots_each; n++) {
        const slot = `a-slot-with-a-name-of-some-length-${n}`;
        const stored = { value: "x", bytes: 1, public: 1, version: 1, etag: '"e"', updated: time(n) };
        add("slots", { owner, slot, ...stored });
      }
    }
    for (let i = 1; i <= jobs; i++) {
      const is_done = i % 2 === 0;
      const done = { state: "delivered", result: body + body, holder: "nameaaa", delivered_at: time(i) };
      const said = { poster: "nameaaa", title: "A title", detail: body, created: time(i) };
      const job = { seq: i, id: Bun.randomUUIDv7(), ...said };
      add("jobs", is_done ? { ...job, ...done } : { ...job, state: "open" });
      add("job_tags", { tag: "some", job: i });
    }
    await Promise.all(writes);
    const counts = {
      rooms_open_public: rooms + 1,
      jobs_open: jobs / 2,
      jobs_total: jobs,
      lockers,
      slots: lockers * slots_each,
    };
    for (const [counter, value] of Object.entries(counts)) {
      await run("DELETE FROM counters WHERE name = $1", counter);
      await run("INSERT INTO counters (name, value) VALUES ($1, $2)", counter, value);
    }
    for (const source of ["rooms", "posts"]) {
      await run(`INSERT INTO search_progress SELECT '${source}', MAX(seq) FROM ${source}`);
    }
  });

let service: SourceService;
let url: string;
beforeAll(async () => {
  service = await startSource();
  ({ url } = service);
  await fill(service.directory);
});
afterAll(() => service.stop());

const room = "/api/meet/rooms/talk";
const first = "2020-01-01T00:00:00.000Z";

describe("no turn of the event loop reads or writes out more than a slice", () => {
  /** A slice takes a few milliseconds on a slow machine. */
  const expectSlices = async (run: () => Promise<unknown>) => {
    const most = await mostPerTurn(run);
    expect(most.rows).toBeLessThanOrEqual(1_200);
    expect(most.chars_read).toBeLessThanOrEqual(1_300_000);
    expect(most.chars_written).toBeLessThanOrEqual(1_100_000);
  };

  test.each([
    "/api/meet/rooms",
    "/api/meet/rooms?limit=1000",
    "/sitemap.xml",
    room,
    `${room}?limit=1000`,
    `${room}?limit=1000&since=2020-01-01T00:00:00Z`,
    `${room}.md?limit=1000`,
    `${room}/export.jsonl`,
    "/meet/r/talk",
    "/meet/r/talk.md",
    "/api/jobs?limit=1000",
    "/api/jobs.md?limit=1000",
    "/jobs?limit=1000",
    "/api/jobs?state=open&limit=1000",
    "/api/jobs?by=nameaaa&state=withdrawn",
    "/api/jobs?tag=some&state=held",
    "/api/jobs?q=word",
    "/api/locker/index?limit=1000",
    "/locker.md?limit=1000",
    "/locker?limit=1000",
  ])("GET %s", async (path) => {
    await expectSlices(async () => {
      const response = await fetch(url + path);
      expect(response.status).toBe(200);
      await response.bytes();
    });
  });

  test.each([
    ["meet_read", { room: "talk", limit: 200 }],
    ["meet_read", { room: "talk", limit: 200, since: "2020-01-01T00:00:00Z" }],
    ["meet_rooms", { limit: 100 }],
    ["jobs_list", { limit: 100 }],
    ["locker_list", { of: "all", limit: 100 }],
  ])("%s", async (tool, args) => {
    await expectSlices(async () => expect(codeOf(await callTool(url, tool, args))).toBeNull());
  });
});

describe("while there is no memory for it, a large answer is refused before it is read", () => {
  const { reserve } = AnswerMemory.prototype;
  beforeAll(() => {
    AnswerMemory.prototype.reserve = async (_request, bytes) => {
      if (bytes <= web_limits.whole_body_bytes_max) return () => {};
      throw tooManyLargeAnswers();
    };
  });
  afterAll(() => {
    AnswerMemory.prototype.reserve = reserve;
  });
  const expectRefusal = async (run: () => Promise<void>) =>
    expect((await mostPerTurn(run)).chars_read).toBeLessThan(web_limits.whole_body_bytes_max);

  test.each([
    "/api/meet/rooms?limit=999",
    "/api/meet/rooms.md?limit=999",
    "/api/meet/rooms?limit=999&fields=lean",
    "/meet?closed=false",
    "/meet.md?closed=false",
    `${room}?limit=99`,
    `${room}.md?limit=99`,
    `${room}?limit=99&not_by=Bob`,
    `${room}?limit=99&not_by=Bob&wait_seconds=1`,
    `${room}/feed.json`,
    `${room}/feed.atom`,
    "/meet/r/talk?before=500",
    "/api/jobs?limit=99",
    "/api/jobs.md?limit=99",
    "/jobs?limit=99",
    "/api/locker/index?limit=999",
    "/locker?limit=999",
    "/api/name/nameaaa/posts?limit=100",
  ])("GET %s", async (path) => {
    await expectRefusal(async () => {
      const { status, headers, body } = await get(url + path);
      expect([path, status, body.code]).toEqual([path, 503, "answers_busy"]);
      expect(headers.get("retry-after")).toBe("1");
    });
  });

  test.each([
    ["meet_read", { room: "talk", limit: 99 }],
    ["meet_read", { room: "talk", limit: 99, since: "2020-01-01T00:00:00Z", wait_seconds: 1 }],
    ["meet_rooms", { limit: 99 }],
    ["jobs_list", { limit: 99 }],
    ["locker_list", { of: "all", limit: 99 }],
  ])("%s", async (tool, args) => {
    await expectRefusal(async () => expect(codeOf(await callTool(url, tool, args))).toBe("answers_busy"));
  });
});

test("a page is made once for all times between the same two posts", async () => {
  const pageBefore = async (before: string) =>
    (await get<RoomRead>(`${url}${room}?limit=80&before=${before}`)).body.posts.length;
  expect(await pageBefore("2026-01-01T00:05:00.001Z")).toBe(80);
  const again = await mostPerTurn(async () => {
    for (const ms of ["002", "500", "999"]) expect(await pageBefore(`2026-01-01T00:05:00.${ms}Z`)).toBe(80);
  });
  expect(again.rows).toBeLessThan(20);
});

describe("an answer made in slices", () => {
  test("lists the same rooms as pages do", async () => {
    const { body: all } = await get<RoomList>(`${url}/api/meet/rooms`);
    const paged: string[] = [];
    for (let query = "?limit=1000"; query;) {
      const { body }: { body: RoomList } = await get<RoomList>(`${url}/api/meet/rooms${query}`);
      paged.push(...body.rooms.map(({ slug }) => slug));
      query = body.next ? `?limit=1000&cursor=${body.next}` : "";
    }
    expect(all.rooms.map(({ slug }) => slug)).toEqual(paged);
    expect([all.total, paged.length, all.next]).toEqual([rooms + 1, rooms + 1, null]);
  });

  test("has the same posts as smaller pages", async () => {
    const small: RoomRead["posts"] = [];
    let since = first;
    for (let more = true; more;) {
      const { body } = await get<RoomRead>(`${url}${room}?limit=60&since=${since}`);
      small.push(...body.posts);
      ({ more, next_since: since } = body);
    }
    expect(small).toHaveLength(posts);
    const later = (await get<RoomRead>(`${url}${room}?limit=1000&since=${first}`)).body;
    expect(later.posts).toEqual(small.slice(0, 1_000));
    expect([later.more, later.next_since]).toEqual([true, small[999]!.ts]);
    const latest = (await get<RoomRead>(`${url}${room}?limit=1000`)).body;
    expect(latest.posts).toEqual(small.slice(-1_000));
    expect([latest.more, latest.next_since]).toEqual([true, small.at(-1)!.ts]);
    const before = (await get<RoomRead>(`${url}${room}?limit=150&before=${small[150]!.ts}`)).body;
    expect(before.posts).toEqual(small.slice(0, 150));
    expect(before.more).toBe(false);
  });

  test("has the ETag of its bytes", async () => {
    const whole = { "accept-encoding": "identity" };
    for (const path of ["/api/meet/rooms?limit=1000", "/sitemap.xml"]) {
      const response = await fetch(url + path, { headers: whole });
      const digest = new Bun.CryptoHasher("sha256").update(await response.bytes()).digest("base64url");
      expect(response.headers.get("etag")).toBe(`"${digest.slice(0, 22)}"`);
      const known = { ...whole, "if-none-match": response.headers.get("etag")! };
      expect([path, (await fetch(url + path, { headers: known })).status]).toEqual([path, 304]);
    }
  });

  test("serializes JSON in pieces to the same text as in one", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.option(fc.jsonValue(), { nil: undefined })),
        fc.array(fc.jsonValue()),
        (rest, list) => {
          const value = { ...rest, list, last: 1 };
          expect([...jsonPieces(value, "list")].join("")).toBe(JSON.stringify(value));
        },
      ),
    );
  });
});

test("writes JSON whose list comes in chunks to the same text as in one", () =>
  fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string(), fc.option(fc.jsonValue(), { nil: undefined })),
      fc.array(fc.array(fc.jsonValue(), { minLength: 1 })),
      fc.dictionary(fc.string(), fc.jsonValue()),
      async (before, chunks, after) => {
        const value = { ...before, list: [] as unknown[], ...after };
        value.list = chunks.flat();
        let text = "";
        const left = [...chunks];
        const next = jsonChunks({ ...value, list: [] }, "list", () => Promise.resolve(left.shift() ?? null));
        for (let piece = await next(); piece !== null; piece = await next()) text += piece;
        expect(text).toBe(JSON.stringify(value));
      },
    ),
  ));

describe("pages that end before their limit", () => {
  test.each(["", "&state=open", "&state=delivered&sort=oldest", "&by=nameaaa&tag=some", "&q=word&limit=100"])(
    "lead to all jobs (%s)",
    async (filter) => {
      const ids: string[] = [];
      let cursor = "";
      for (let pages = 0; pages < 200; pages++) {
        const path = `/api/jobs?${filter.includes("limit") ? "" : "limit=1000"}${filter}${cursor}`;
        const { status, body } = await get<JobBoard>(url + path);
        expect(status).toBe(200);
        ids.push(...body.jobs.map(({ id }) => id));
        if (!body.next) break;
        cursor = `&cursor=${body.next}`;
      }
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toHaveLength(filter.includes("state") ? jobs / 2 : jobs);
    },
  );

  test("lead to all lockers", async () => {
    const names: string[] = [];
    let slots = 0;
    for (let cursor = ""; ;) {
      const { body } = await get<LockerIndex>(`${url}/api/locker/index?limit=1000${cursor}`);
      expect([body.count, body.slots_total]).toEqual([lockers, lockers * slots_each]);
      names.push(...body.lockers.map(({ name }) => name));
      for (const locker of body.lockers) slots += locker.slots.length;
      if (!body.next) break;
      cursor = `&cursor=${body.next}`;
    }
    expect([names.length, new Set(names).size, slots]).toEqual([lockers, lockers, lockers * slots_each]);
  });

  test("lead to all posts in tools", async () => {
    const seen: number[] = [];
    for (let [since, left] = [0, posts]; left > 0;) {
      const { structuredContent } = await callTool(url, "meet_read", { room: "talk", limit: 200, since });
      const read = structuredContent as unknown as LeanRead;
      expect(read.posts.length).toBeLessThan(100);
      seen.push(...read.posts.map(({ n }) => n));
      left -= read.posts.length;
      expect(read.more ?? 0).toBe(left);
      since = read.next_since;
    }
    expect(seen).toEqual(Array.from({ length: posts }, (_, i) => i + 1));
    const latest = await callTool(url, "meet_read", { room: "talk", limit: 200 });
    expect((latest.structuredContent as unknown as LeanRead).posts.at(-1)!.n).toBe(posts);
  });
});
