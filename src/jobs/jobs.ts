/** What can be done with jobs: the operations that every door calls. */

import { isoTime, steadyTime, type Moment } from "../core/clock.ts";
import type { CommandRunner, FeatureStorage, Functions } from "../core/commands.ts";
import type { JobCommands, JobSearches } from "./feature.ts";
import type { Log } from "../core/log.ts";
import type { Caller, Identity } from "../core/caller.ts";
import type { Random } from "../core/random.ts";
import type { Receipts } from "../receipts/receipts.ts";
import { refuseSecrets } from "../core/secrets.ts";
import type { ServiceClock } from "../core/clock.ts";
import type { CommandResult, Once } from "../core/storage.ts";
import { checkSearchLimit, type SearchRunner } from "../core/search.ts";
import { boardPage, boardSlice, readJob, type BoardPage, type BoardQuery } from "./queries.ts";
import * as earned from "./receipt.ts";
import type { JobRecord } from "./presenters.ts";
import { countJobs, nextLeaseEnd } from "./store.ts";

export interface JobsDeps {
  storage: FeatureStorage<JobCommands>;
  commands: CommandRunner<JobCommands>;
  search: SearchRunner<JobSearches>;
  clock: ServiceClock;
  random: Random;
  receipts: Receipts;
  log: Log;
  /** How many jobs a name may hold at a time. */
  held_jobs_max: number;
  /** The caller's claimed name. Throws when no key was shown. */
  identityOf(caller: Caller): Identity;
  /** The one form of all spellings of a name. */
  canonicalName(name: string): string;
}

export interface ReviewRequest {
  verdict: "accepted" | "disputed";
  reason?: string | undefined;
}

export type BoardRequest = Omit<BoardQuery, keyof Moment | "poster"> & {
  by?: string | undefined;
  /** Words of title or detail. */
  q?: string | undefined;
};

export type Jobs = ReturnType<typeof createJobs>;

/** The commands that take nothing but a job's id. */
type JobCommand = "jobs.extend" | "jobs.release" | "jobs.withdraw";

export function createJobs(deps: JobsDeps) {
  const { storage, commands, search, clock, random, receipts, log } = deps;
  const { held_jobs_max, identityOf, canonicalName } = deps;
  let cancelTimer = () => {};
  /** The steady time at which leases are settled next. */
  let wakes_at_ms = Infinity;

  /** What every act on a job is given. */
  function input(caller: Caller, id: string) {
    const identity = identityOf(caller);
    const moment = clock.moment();
    return { ...moment, identity, id: id.toLowerCase(), note_id: random.uuid(moment.now_ms) };
  }

  /** Runs a command on a job. */
  async function run<N extends JobCommand>(
    caller: Caller,
    name: N,
    id: string,
    once?: Once,
  ): Promise<CommandResult<Functions<JobCommands>, N>> {
    const given = input(caller, id);
    return (await commands.run(caller, name, given.identity.name, given, once)).result;
  }

  /** Writes down what leases have ended, and sees to it that the next one is when it ends. */
  async function settle(): Promise<void> {
    const next_end = await storage.read(nextLeaseEnd);
    if (next_end === null) return;
    if (Date.parse(next_end) > clock.steady()) return wakeAt(Date.parse(next_end));
    for (;;) {
      const { result } = await storage.write("jobs.settle", clock.moment());
      if (result.more) continue;
      if (result.next_end !== null) wakeAt(Date.parse(result.next_end));
      return;
    }
  }

  function wakeAt(steady_ms: number): void {
    if (steady_ms >= wakes_at_ms) return;
    wakes_at_ms = steady_ms;
    cancelTimer();
    cancelTimer = clock.after(Math.max(steady_ms - clock.steady(), 0), () => {
      wakes_at_ms = Infinity;
      settle().catch((error: unknown) => {
        log.warn("jobs.settle_failed", { error: String(error) });
        // The lease has ended all the same; the news of it is tried again in a minute.
        wakeAt(clock.steady() + 60_000);
      });
    });
  }

  async function list(query: BoardQuery): Promise<BoardPage> {
    const counts = await storage.read((tx) => countJobs(tx, steadyTime(query)));
    let slices = 0;
    const page = await boardPage(query, async (after) => {
      // Each slice is read in a turn of its own.
      if (slices++ > 0) await clock.turn();
      return storage.read((tx) => boardSlice(tx, query, after));
    });
    return { ...page, ...counts };
  }

  return {
    settle,
    /** Stops waiting for leases to end. */
    close: () => cancelTimer(),

    /** A page of the board: the newest jobs first, or the oldest; with `q`, those that a search finds. */
    async list(caller: Caller, { by, q, ...rest }: BoardRequest): Promise<BoardPage> {
      const poster = by === undefined ? undefined : canonicalName(by);
      const query = { ...rest, ...clock.moment(), poster };
      if (q === undefined) return list(query);
      checkSearchLimit(query.limit);
      return search.run(caller, "jobs.search", { ...query, q });
    },

    /** One job. Throws `job_not_found`. */
    read: (id: string): Promise<JobRecord> =>
      storage.read((tx) => readJob(tx, id.toLowerCase(), clock.moment())),

    /** Posts a job; answers with it and the poster's receipt. */
    async post(
      caller: Caller,
      job: { title: string; detail: string; tags?: string[] | undefined },
      once?: Once,
    ): Promise<{ job: JobRecord; receipt: string }> {
      const { title, detail, tags = [] } = job;
      const id = random.uuid(clock.now());
      const { note_id: _none, ...given } = input(caller, id);
      refuseSecrets({ "/title": title, "/detail": detail });
      const speaker = given.identity.name;
      const post = { ...given, title, detail, tags };
      const { result } = await commands.run(caller, "jobs.post", speaker, post, once);
      return { job: result, receipt: receipts.issue(earned.posted(result)) };
    },

    /** Takes the lock of an open job for 60 minutes. */
    async claim(caller: Caller, id: string, once?: Once): Promise<JobRecord> {
      const given = { ...input(caller, id), held_jobs_max };
      const { result } = await commands.run(caller, "jobs.claim", given.identity.name, given, once);
      wakeAt(Date.parse(result.lease_expires_at!) - given.ahead_ms);
      return result;
    },

    /** Holds a job for 60 minutes from now. */
    extend: (caller: Caller, id: string, once?: Once): Promise<JobRecord> =>
      run(caller, "jobs.extend", id, once),

    /** Gives the lock back early. */
    release: (caller: Caller, id: string, once?: Once): Promise<{ id: string; released: true }> =>
      run(caller, "jobs.release", id, once),

    /** Delivers a held job; answers with it and the deliverer's receipt. */
    async deliver(
      caller: Caller,
      id: string,
      { result, claim_no = null }: { result: string; claim_no?: number | null | undefined },
      once?: Once,
    ): Promise<{ job: JobRecord; receipt: string }> {
      refuseSecrets({ "/result": result });
      const given = { ...input(caller, id), result, claim_no };
      const written = await commands.run(caller, "jobs.deliver", given.identity.name, given, once);
      return { job: written.result, receipt: receipts.issue(earned.delivered(written.result)) };
    },

    /** Takes an open job of the caller's back. */
    withdraw: (caller: Caller, id: string, once?: Once): Promise<JobRecord> =>
      run(caller, "jobs.withdraw", id, once),

    /** Says what a delivery was worth. An accepted one earns the deliverer a receipt, which comes in its mailbox. */
    async review(
      caller: Caller,
      id: string,
      { verdict, reason = "" }: ReviewRequest,
      once?: Once,
    ): Promise<JobRecord> {
      refuseSecrets({ "/reason": reason });
      const given = input(caller, id);
      const at = isoTime(given.now_ms);
      const review = async () => {
        const found = await storage.read((tx) => readJob(tx, given.id, given));
        const earns = verdict === "accepted" && found.state === "delivered";
        const receipt = earns ? receipts.issue(earned.accepted(found, at)) : null;
        return { ...given, verdict, reason: reason || null, receipt };
      };
      return (await commands.run(caller, "jobs.review", given.identity.name, review, once)).result;
    },
  };
}
