/** Searching: no call waits for another's search, an incomplete index is searched, and data may have been changed by hand. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { AppCommands } from "../../src/app/commands.ts";
import { limits } from "../../src/core/limits.ts";
import { storage_limits } from "../../src/storage/limits.ts";
import type { AppStorage } from "../../src/app/storage.ts";
import type { AppSearches } from "../../src/app/commands.ts";
import { openSqlite } from "../../src/storage/sqlite/engine.ts";
import { orThrow, type Schemas } from "../../src/client/client.ts";
import { clientOf } from "../support/client.ts";
import { get } from "../support/http.ts";
import { callJob, postJob, readMailbox } from "../support/jobs.ts";
import { claim } from "../support/names.ts";
import { open, speak } from "../support/rooms.ts";
import { startSource, type SourceService } from "../support/service.ts";
import { startLazyWriter } from "../support/lazy_writer.ts";
import { startSlowSearches } from "../support/slow_searches.ts";
import { callTool, codeOf } from "../support/tools.ts";
import { stored } from "../support/stored.ts";
import { testOfSqlite } from "../support/postgres.ts";
import { job_limits } from "../../src/api/limits.ts";

/** A service whose search thread never answers `take forever`, and whose writer indexes nothing by itself. */
async function startSlow(): Promise<{ service: SourceService; storage: AppStorage }> {
  let storage: AppStorage;
  const service = await startSource({}, undefined, undefined, async (directory, clock, log) => {
    const threads = { startWriter: startLazyWriter, startSearches: startSlowSearches };
    storage = await openSqlite<AppCommands, AppSearches>({ directory, clock, log, ...threads });
    return storage;
  });
  return { service, storage: storage! };
}

/** Searches rooms; the answer, or the problem. */
const search = (url: string, q: string) => clientOf(url).get("/api/meet/rooms", { query: { q } });
const roomsIn = ({ rooms }: Schemas["RoomList"]): string[] => rooms.map(({ slug }) => slug);
const found = async (url: string, q: string): Promise<string[]> => roomsIn(await orThrow(search(url, q)));
const api = "/api/meet/rooms";

/** Runs SQL on the database of a service, as an operator may. */
const change = ({ directory }: { directory: string }, sql: string) => stored(directory, sql);

test("refuses searches while no thread can be started", async () => {
  let storage: AppStorage;
  const service = await startSource({}, undefined, undefined, async (directory, clock, log) => {
    const startSearches = () => {
      throw new Error("No file descriptors are left for another thread.");
    };
    const threads = { startWriter: startLazyWriter, startSearches };
    return (storage = await openSqlite<AppCommands, AppSearches>({ directory, clock, log, ...threads }));
  });
  storage!.prepare();
  const refused = search(service.url, "anything");
  await service.clock.timerAt(storage_limits.search_wait_seconds_max);
  service.clock.advance(storage_limits.search_wait_seconds_max);
  expect(await refused).toMatchObject({ status: 503, error: { code: "search_busy" } });
  expect(service.output()).toContain('"event":"search.no_thread"');
  await service.stop();
});

describe("a search that takes too long", () => {
  let service: SourceService;
  beforeAll(async () => ({ service } = await startSlow()));
  afterAll(() => service.stop());

  const forever = () => search(service.url, "take forever");
  /** Resolves when a search runs. */
  const running = () => service.clock.timerAt(storage_limits.search_seconds_max);

  test("delays nobody, and ends with a problem that says when to try again", async () => {
    const slow = forever();
    await running();
    const room = await open(service.url, "Quick as ever");
    const { get } = clientOf(service.url);
    expect((await get("/api/meet/rooms/{room}", { path: { room: room.slug } })).status).toBe(200);
    expect((await get("/api/meet/rooms")).status).toBe(200);
    service.clock.advance(storage_limits.search_seconds_max);
    const { status, headers, error } = await slow;
    expect([status, headers.get("retry-after")]).toEqual([503, "2"]);
    expect(error).toMatchObject({ code: "search_timeout", retryable: true });
    expect(await found(service.url, "quick")).toEqual([room.slug]);
  });

  test("is a refusal of the tool, with the same call as the next one", async () => {
    const slow = callTool(service.url, "meet_rooms", { query: "take forever" });
    await running();
    service.clock.advance(storage_limits.search_seconds_max);
    const answer = await slow;
    expect(codeOf(answer)).toBe("search_timeout");
    expect(answer.content[0]!.text).toContain("Wait 2 seconds, then call meet_rooms again.");
  });

  test("makes other searches wait and refuses too many, while everything else is answered", async () => {
    const slow = forever();
    await running();
    const waiting = Array.from({ length: storage_limits.searches_waiting_max + 3 }, () =>
      search(service.url, "anything"),
    );
    const refused = (await Promise.race(waiting))!;
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(refused.error).toMatchObject({ code: "search_busy", retryable: true });
    expect((await clientOf(service.url).get("/api/jobs")).status).toBe(200);
    service.clock.advance(storage_limits.search_seconds_max);
    expect((await slow).status).toBe(503);
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(storage_limits.searches_waiting_max);
  });
});

describe("an index that is behind", () => {
  let service: SourceService;
  let storage: AppStorage;
  afterEach(() => service.stop());

  /** Posts in a room as fast as the storage accepts it. */
  const say = (room: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, i) =>
        storage.write("rooms.speak", {
          identity: null,
          room,
          id: Bun.randomUUIDv7("hex", service.clock.now()),
          name: "Ana",
          body: `platypus ${i}`,
          salt: "00".repeat(16),
          in_reply_to: null,
          now_ms: service.clock.now(),
        }),
      ),
    );

  test("is completed by the search that needs it if little is missing", async () => {
    ({ service, storage } = await startSlow());
    const room = await open(service.url, "Monotremes");
    await say(room.slug, limits.search_catch_up_rows_max - 1);
    service.clock.advance(60);
    const answer = await orThrow(search(service.url, "platypus"));
    expect(roomsIn(answer)).toEqual([room.slug]);
    expect(answer.indexed_through).toBe("2026-03-01T12:01:00.000Z");
  });

  test("is searched as it is if much is missing, and the answer says up to which time", async () => {
    ({ service, storage } = await startSlow());
    const { url } = service;
    const [old, burst] = [await open(url, "A platypus of old"), await open(url, "A burst")];
    expect(await found(url, "platypus")).toEqual([old.slug]);
    service.clock.advance(10);
    // The times of a burst of posts run ahead of the clock, because they rise strictly: the index uses the time of acceptance.
    await say(burst.slug, limits.search_catch_up_rows_max + 1);
    service.clock.advance(60);
    const answer = await orThrow(search(url, "platypus"));
    expect(roomsIn(answer)).toEqual([old.slug]);
    expect(answer.indexed_through).toBe("2026-03-01T12:00:10.000Z");

    const result = await callTool(url, "meet_rooms", { query: "platypus" });
    expect(result.structuredContent).toMatchObject({ indexed_through: "2026-03-01T12:00:10.000Z" });
    expect(result.content[0]!.text).toContain("\nindexed_through: 2026-03-01T12:00:10.000Z");
    const texts = [`${url}${api}.md?q=platypus`, `${url}/meet?q=platypus`];
    for (const text of texts) {
      expect(await (await fetch(text)).text()).toMatch(
        /Search index as of: (?:<time datetime=")?2026-03-01T12:00:10\.000Z/,
      );
    }
    while ((await storage.write("rooms.index", null)).result.more);
    expect(await found(url, "platypus")).toEqual([old.slug, burst.slug]);
  });

  test("is not waited for while the writer is busy", async () => {
    ({ service, storage } = await startSlow());
    const room = await open(service.url, "Found before");
    expect(await found(service.url, "found")).toEqual([room.slug]);
    await open(service.url, "Found after");
    const write = storage.write.bind(storage);
    // A slow disk.
    storage.write = (() => new Promise(() => {})) as typeof storage.write;
    const slugs = found(service.url, "found");
    await service.clock.timerAt(limits.search_catch_up_ms / 1000);
    service.clock.advance(limits.search_catch_up_ms / 1000);
    expect(await slugs).toEqual([room.slug]);
    storage.write = write;
  });
});

describe("what may be searched for", () => {
  let service: SourceService;
  beforeAll(async () => {
    service = await startSource();
    const room = await open(service.url, "One two three four five six seven eight nine");
    await speak(room, "ten");
    await postJob(service.url, await claim(service.url, "Ada"), { title: "Ten", detail: "Nine." });
  });
  afterAll(() => service.stop());

  const words = (count: number) =>
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"].slice(0, count).join(" ");

  test(`is ${limits.search_terms_max} words at most`, async () => {
    for (const path of [api, "/api/jobs", `${api}.md`, "/api/jobs.md", "/meet", "/jobs"]) {
      const search = (count: number) => fetch(`${service.url}${path}?q=${encodeURIComponent(words(count))}`);
      expect([path, (await search(8)).status, (await search(9)).status]).toEqual([path, 200, 422]);
    }
    const { body } = await get(`${service.url}${api}?q=${encodeURIComponent(words(9))}`);
    expect(body.errors).toEqual([{ path: "q", message: "has 9 words; at most 8 are searched for" }]);
    for (const tool of ["meet_rooms", "jobs_list"]) {
      expect(codeOf(await callTool(service.url, tool, { query: words(8) }))).toBeNull();
      expect(codeOf(await callTool(service.url, tool, { query: words(9) }))).toBe("invalid_fields");
    }
  });

  test(`is answered with ${limits.search_page_max} hits a page at most`, async () => {
    for (const path of [api, "/api/jobs"]) {
      expect((await get(`${service.url}${path}?q=nine&limit=100`)).status).toBe(200);
      const { status, body } = await get(`${service.url}${path}?q=nine&limit=101`);
      expect(status).toBe(422);
      expect(body.errors).toEqual([
        { path: "limit", message: "must be a whole number from 1 to 100 in a search" },
      ]);
    }
  });

  test("is answered with the time up to which everything was searched", async () => {
    const { get } = clientOf(service.url);
    const rooms = await orThrow(search(service.url, "ten"));
    const jobs = await orThrow(get("/api/jobs", { query: { q: "ten" } }));
    expect(rooms.indexed_through! >= rooms.rooms[0]!.created).toBe(true);
    expect(jobs.indexed_through! >= jobs.jobs[0]!.created).toBe(true);
    const list = await orThrow(get("/api/meet/rooms", { query: { limit: 1 } }));
    expect(list.indexed_through).toBeUndefined();
    expect((await orThrow(get("/api/jobs"))).indexed_through).toBeUndefined();
  });
});

const foreign_keys = "the foreign keys of Postgres forbid such changes";
describe("data that was changed by hand", () => {
  let service: SourceService;
  beforeAll(async () => void (service = await startSource()));
  afterAll(() => service.stop());

  testOfSqlite(
    "skips posts and rooms whose rows are missing, and rooms that were made unlisted",
    foreign_keys,
    async () => {
      const { url } = service;
      const rooms = [];
      for (const goal of ["First kraken", "Second kraken", "Third", "Fourth", "Fifth"]) {
        rooms.push(await open(url, goal));
        await speak(rooms.at(-1)!, "a kraken");
      }
      const all = rooms.map(({ slug }) => slug);
      expect((await found(url, "kraken")).toSorted()).toEqual(all.toSorted());
      await change(service, "DELETE FROM posts WHERE room = (SELECT seq FROM rooms WHERE slug = 'third')");
      await change(
        service,
        "DELETE FROM posts WHERE room = (SELECT seq FROM rooms WHERE slug = 'second-kraken')",
      );
      await change(service, "DELETE FROM rooms WHERE slug IN ('first-kraken', 'second-kraken')");
      await change(service, "UPDATE rooms SET visibility = 'unlisted' WHERE slug = 'fifth'");
      expect(await found(url, "kraken")).toEqual(["fourth"]);
      expect((await fetch(`${url}/meet?q=kraken`)).status).toBe(200);
      expect(codeOf(await callTool(url, "meet_rooms", { query: "kraken" }))).toBeNull();
      // The index skips posts without a room, too, and continues behind them.
      const more = await open(url, "Sixth");
      await speak(more, "kraken");
      expect(await found(url, "kraken")).toEqual(["sixth", "fourth"]);
    },
  );

  testOfSqlite(
    "answers searches and reads of jobs although a row of theirs or of a name is missing",
    foreign_keys,
    async () => {
      const { url } = service;
      const [ada, bob] = [await claim(url, "Ada L"), await claim(url, "Bob")];
      const gone = await postJob(url, ada, { title: "A leviathan" });
      const present = await postJob(url, bob, { title: "Another leviathan" });
      await orThrow(clientOf(url, ada).post("/api/jobs/{id}/claim", { path: { id: present.id } }));
      const searchJobs = async () => {
        const { jobs } = await orThrow(clientOf(url).get("/api/jobs", { query: { q: "leviathan" } }));
        return jobs.map(({ id, by, held_by }) => [id, by, held_by]);
      };
      expect((await searchJobs()).map(([id]) => id)).toEqual([present.id, gone.id]);
      await change(service, `DELETE FROM jobs WHERE id = '${gone.id}'`);
      await change(service, "DELETE FROM names");
      expect(await searchJobs()).toEqual([[present.id, "bob", expect.stringMatching(/^ada.l$/)]]);
      for (const path of [
        `/api/jobs/${present.id}`,
        "/api/jobs",
        "/api/jobs.md",
        `/jobs/${present.id}`,
        "/jobs",
      ]) {
        expect([path, (await fetch(url + path, { headers: { accept: "*/*" } })).status]).toEqual([path, 200]);
      }
    },
  );
});

testOfSqlite("ends the lease of a job although the rows of its names are missing", foreign_keys, async () => {
  const service = await startSource();
  const { url, clock } = service;
  const [ada, bob, carol] = [await claim(url, "Ada"), await claim(url, "Bob"), await claim(url, "Carol")];
  const job = await postJob(url, ada, { title: "A job" });
  await callJob(url, bob, job.id, "claim");
  await change(service, "DELETE FROM names WHERE canonical IN ('ada', 'bob')");
  clock.advance(job_limits.lease_seconds + 1);
  expect((await readMailbox(url, carol)).count).toBe(0);
  const jobsIn = async (state: "open" | "held") =>
    (await orThrow(clientOf(url).get("/api/jobs", { query: { state } }))).jobs.map(({ id }) => id);
  expect(await jobsIn("open")).toEqual([job.id]);
  // No due lease is left: no timer tries repeatedly to settle it.
  await clock.turn();
  expect(await jobsIn("held")).toEqual([]);
  expect(service.output()).not.toContain("jobs.settle_failed");
  expect((await callJob(url, carol, job.id, "claim")).status).toBe(200);
  expect((await callJob(url, carol, job.id, "deliver", { result: "done" })).status).toBe(201);
  await service.stop();
});
