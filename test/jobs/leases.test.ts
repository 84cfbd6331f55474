/** Leases: a job is open from the millisecond at which its lease ends, and both sides are notified once. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { openStorageOf } from "../../src/app/storage.ts";
import { systemClock, type Clock, type Moment } from "../../src/core/clock.ts";
import { default_config } from "../../src/core/settings.ts";
import type { JobBoard } from "../../src/api/jobs/jobs.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { service_errors } from "../../src/core/general_errors.ts";
import { createLog, type Log } from "../../src/core/log.ts";
import { serve } from "../../src/app/serve.ts";
import { get } from "../support/http.ts";
import { callJob, notesOf, postJob, readJob, type JobAnswer } from "../support/jobs.ts";
import { claim, type Holder } from "../support/names.ts";
import { databaseOf } from "../support/postgres.ts";
import { seededRandom } from "../../src/dev/random.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";
import { readEvents } from "../support/sse.ts";

const hour_ms = 3_600_000;

let directory: string;
let service: SourceService;
let url: string;
let poster: Holder;
let holder: Holder;
let next: Holder;
let job: JobAnswer;

async function begin(clock?: SourceService["clock"]): Promise<void> {
  service = await startSource({ data_dir: directory, held_jobs_by_name: 1_000 }, clock);
  url = service.url;
}

beforeEach(async () => {
  directory = newDirectory();
  await begin();
  [poster, holder, next] = [await claim(url, "Poster"), await claim(url, "Holder"), await claim(url, "Next")];
  const { id } = await postJob(url, poster);
  job = (await callJob(url, holder, id, "claim")).body;
});
afterEach(async () => {
  await service.stop();
  removeDirectory(directory);
});

const iso = (ms: number) => new Date(ms).toISOString();
/** Advances time without running due timers: nothing may depend on a timer that fires in time. */
const jump = (ms: number) => service.clock.pass(ms / 1000);
const counts = async (query = "") => {
  const { body } = await get<JobBoard>(`${url}/api/jobs${query}`);
  return { open: body.open, total: body.total, listed: body.jobs.map(({ id }) => id) };
};
const kinds = async (who: Holder) => (await notesOf(url, who)).map(({ kind }) => kind);

test("holds a job until the last millisecond of its lease and opens it at the end, without a timer", async () => {
  jump(hour_ms - 1);
  expect(await readJob(url, job.id)).toMatchObject({ state: "held", held_by: "Holder" });
  expect((await callJob(url, next, job.id, "claim")).status).toBe(409);
  expect(await counts("?state=open")).toEqual({ open: 0, total: 1, listed: [] });
  expect(await counts("?state=held")).toEqual({ open: 0, total: 1, listed: [job.id] });
  jump(1);
  const read = await readJob(url, job.id);
  expect(read.state).toBe("open");
  expect(read).not.toHaveProperty("held_by");
  expect(read).not.toHaveProperty("until");
  expect(await counts("?state=open")).toEqual({ open: 1, total: 1, listed: [job.id] });
  expect(await counts("?state=held")).toEqual({ open: 1, total: 1, listed: [] });
  for (const [name, body] of [["deliver", { result: "late" }], ["release"], ["extend"]] as const) {
    const answer = await callJob(url, holder, job.id, name, body);
    expect([answer.status, answer.body.code]).toEqual([409, "not_holder"]);
  }
  expect(await callJob(url, next, job.id, "claim")).toMatchObject({ status: 200, body: { claim_no: 2 } });
  expect(await counts("?state=open")).toEqual({ open: 0, total: 1, listed: [] });
});

test("changes the ETag of an answer when the lease ends", async () => {
  const etag = (await get(`${url}/api/jobs/${job.id}`)).headers.get("etag")!;
  const again = () => fetch(`${url}/api/jobs/${job.id}`, { headers: { "if-none-match": etag } });
  expect((await again()).status).toBe(304);
  jump(hour_ms);
  expect((await again()).status).toBe(200);
});

test("refuses a delivery under an expired lease over the next claim", async () => {
  jump(hour_ms);
  await callJob(url, next, job.id, "claim");
  const late = await callJob(url, holder, job.id, "deliver", { result: "mine", claim_no: 1 });
  expect([late.status, late.body.code]).toEqual([409, "not_holder"]);
  jump(hour_ms);
  // The same holder again: only the number distinguishes its two claims.
  expect((await callJob(url, holder, job.id, "claim")).body.claim_no).toBe(3);
  const stale = await callJob(url, holder, job.id, "deliver", { result: "mine", claim_no: 1 });
  expect([stale.status, stale.body.code]).toEqual([409, "stale_claim"]);
  const done = await callJob(url, holder, job.id, "deliver", { result: "mine", claim_no: 3 });
  expect(done).toMatchObject({ status: 201, body: { delivered_by: "Holder", claim_no: 3 } });
});

test("lets the poster withdraw a job whose lease has ended", async () => {
  jump(hour_ms);
  expect(await callJob(url, poster, job.id, "withdraw")).toMatchObject({ body: { state: "withdrawn" } });
  expect(await counts()).toMatchObject({ open: 0, total: 1 });
  expect(await kinds(holder)).toEqual(["job.lapsed"]);
});

test("extends a lease to 60 minutes from now, at most to 24 hours after the claim", async () => {
  const claimed_ms = service.clock.now();
  const extend = () => callJob(url, holder, job.id, "extend");
  for (let half = 1; half <= 46; half++) {
    jump(hour_ms / 2);
    const { status, body } = await extend();
    expect(status).toBe(200);
    expect(body.you_hold_it_until).toBe(iso(service.clock.now() + hour_ms));
    expect(body.claim_no).toBe(1);
  }
  jump(hour_ms / 2);
  // The lease cannot be extended beyond 24 hours, where it ends already.
  const spent = await extend();
  expect([spent.status, spent.body.code]).toEqual([409, "lease_spent"]);
  expect((await readJob(url, job.id)).until).toBe(iso(claimed_ms + 24 * hour_ms));
  jump(hour_ms / 2);
  expect((await readJob(url, job.id)).state).toBe("open");
  expect((await extend()).body.code).toBe("not_holder");
});

test("keeps the end of a lease that is extended at once or with a clock that was set back", async () => {
  for (const time of ["2026-03-01T12:00:00.000Z", "2026-03-01T11:59:00.000Z"]) {
    service.clock.set(time);
    const { status, body } = await callJob(url, holder, job.id, "extend");
    expect(status).toBe(200);
    expect(body.you_hold_it_until).toBe(job.until!);
  }
});

test("notifies both sides once when a lease ends, also those who wait", async () => {
  service.clock.advance(3_590);
  const late = get<{ notes: unknown[] }>(`${url}/api/mailbox?wait_seconds=50`, holder.pair);
  await service.clock.timerAt(50);
  service.clock.advance(10);
  const { body } = await late;
  const note = { seq: 1, kind: "job.lapsed", at: job.until!, job: job.id, title: job.title, claim_no: 1 };
  expect(body.notes).toMatchObject([{ ...note, held_by: "Holder", you_were: "holder" }]);
  expect(await notesOf(url, poster, "?since=1")).toMatchObject([
    { ...note, seq: 2, held_by: "Holder", you_were: "poster" },
  ]);
  service.clock.advance(7_200);
  await callJob(url, next, job.id, "claim");
  expect(await kinds(holder)).toEqual(["job.lapsed"]);
  expect(await kinds(poster)).toEqual(["job.claimed", "job.lapsed", "job.claimed"]);
});

test.each(["before", "after"])(
  "notifies once of a lease that ended while the service was down, %s being read",
  async (when) => {
    const { clock } = service;
    await service.stop();
    clock.pass(2 * 3_600);
    await begin(clock);
    if (when === "after") expect(await readJob(url, job.id)).toMatchObject({ state: "open" });
    for (let restart = 0; restart < 2; restart++) {
      expect(await kinds(holder)).toEqual(["job.lapsed"]);
      expect(await kinds(poster)).toEqual(["job.claimed", "job.lapsed"]);
      await service.stop();
      await begin(clock);
    }
  },
);

test("reads mailboxes and starts while the storage is full, and notifies of the lease once there is room", async () => {
  const { clock } = service;
  let is_full = true;
  const openFull = async (data_dir: string, _clock: Clock, log: Log) => {
    const config = { ...default_config, ...databaseOf(data_dir), data_dir };
    const storage = await openStorageOf(config, { clock, log });
    const write = (name: "jobs.settle", ...rest: [Moment]) =>
      is_full && name === "jobs.settle"
        ? Promise.reject(new ServiceError(service_errors.storage_full, "There is no room."))
        : storage.write(name, ...rest);
    return new Proxy(storage, {
      get: (target, name: keyof typeof storage) => {
        const member: unknown = name === "write" ? write : target[name];
        return typeof member === "function" ? (member.bind(target) as unknown) : member;
      },
    });
  };
  await service.stop();
  jump(hour_ms);
  service = await startSource({ data_dir: directory }, clock, 1, openFull);
  url = service.url;
  expect(await kinds(poster)).toEqual(["job.claimed"]);
  expect((await get(`${url}/api/wait?mailbox=0`, poster.pair)).status).toBe(200);
  const stream = await readEvents(`${url}/api/mailbox/stream?since=1`, poster.pair);
  is_full = false;
  clock.advance(1);
  expect((await stream.next())?.data).toMatchObject({ kind: "job.lapsed", job: job.id });
  await stream.close();
});

test("ends a lease by a timer although the service restarted meanwhile", async () => {
  const { clock } = service;
  await service.stop();
  await begin(clock);
  clock.advance(3_590);
  const read = get<{ notes: unknown[] }>(`${url}/api/mailbox?since=1&wait_seconds=50`, poster.pair);
  await clock.timerAt(50);
  clock.advance(10);
  expect((await read).body.notes).toMatchObject([{ kind: "job.lapsed" }]);
});

test("notifies of every ended lease, also if there are more than are settled at once", async () => {
  const posters: Holder[] = [];
  for (let n = 0; n < 11; n++) posters.push(await claim(url, `Poster ${n}`));
  for (const who of posters) {
    for (let n = 0; n < 10; n++) {
      const { id } = await postJob(url, who);
      await callJob(url, holder, id, "claim");
    }
  }
  jump(hour_ms);
  expect(await counts("?limit=1")).toMatchObject({ open: 111, total: 111 });
  const notes = await notesOf(url, holder, "?limit=1000");
  expect(notes.filter(({ kind }) => kind === "job.lapsed")).toHaveLength(111);
  expect(await counts("?limit=1")).toMatchObject({ open: 111, total: 111 });
});

test("ends a lease by real timers on a clock that runs 3,600 times as fast", async () => {
  // In steps, so that two readings one after the other agree as they do at the usual speed.
  const fastMonotonic = () => stopped_ms ?? Math.floor(systemClock.monotonic()) * 3_600;
  let stopped_ms: number | undefined;
  const began_ms = systemClock.now() - fastMonotonic();
  const fast: Clock = {
    ...systemClock,
    now: () => began_ms + fastMonotonic(),
    monotonic: fastMonotonic,
    uptime: () => ({ boot: "fast", ms: fastMonotonic() }),
    after: (delay_ms, run) => systemClock.after(delay_ms / 3_600, run),
  };
  const data_dir = newDirectory();
  const config = { ...default_config, port: 0, rate_limit: false, data_dir };
  const log = createLog(fast, "error", () => {});
  const real = await serve(config, { clock: fast, random: seededRandom(3), log });
  const [ada, bob, eve] = [
    await claim(real.url, "Ada"),
    await claim(real.url, "Bob"),
    await claim(real.url, "Eve"),
  ];
  const { id } = await postJob(real.url, ada);
  const { body } = await callJob(real.url, bob, id, "claim");
  // Each wait of 50 seconds takes 14 milliseconds here.
  let notes: string[] = [];
  while (notes.length === 0) {
    notes = (await notesOf(real.url, ada, "?since=1&wait_seconds=50")).map(({ kind, at }) => `${kind} ${at}`);
  }
  expect(notes).toEqual([`job.lapsed ${body.until}`]);
  // The next lease must not end before it is used.
  stopped_ms = fastMonotonic();
  expect((await callJob(real.url, eve, id, "claim")).body.claim_no).toBe(2);
  expect((await callJob(real.url, bob, id, "deliver", { result: "late" })).body.code).toBe("not_holder");
  expect((await callJob(real.url, eve, id, "deliver", { result: "in time" })).status).toBe(201);
  await real.stop();
  removeDirectory(data_dir);
});

test("settles no lease that has not ended when the clock of the machine was set a day ahead", async () => {
  service.clock.advance(1_800);
  const later = (await callJob(url, next, (await postJob(url, poster)).id, "claim")).body;
  service.clock.set(iso(service.clock.now() + 24 * hour_ms));
  // The timer of the first lease runs, and settles what has ended.
  service.clock.advance(1_801);
  expect((await readJob(url, job.id)).state).toBe("open");
  expect(await readJob(url, later.id)).toMatchObject({ state: "held", held_by: "Next" });
  expect(await kinds(next)).not.toContain("job.lapsed");
  expect(await kinds(holder)).toContain("job.lapsed");
  expect(await counts()).toMatchObject({ open: 1, total: 2 });
});
