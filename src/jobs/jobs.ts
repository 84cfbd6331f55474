/** The operations of jobs, called by every transport. */

import type { Admin } from "../core/admin.ts";
import type { Chunks } from "../core/chunks.ts";
import { isoTime, steadyTime, type Moment } from "../core/clock.ts";
import type { CallerCommandName, Functions, OperationDeps } from "../core/commands.ts";
import type { JobCommands, JobSearches } from "./feature.ts";
import type { Log } from "../core/log.ts";
import type { Caller, Identity } from "../core/caller.ts";
import type { Receipts } from "../receipts/receipts.ts";
import type { ShownReceipt } from "../api/receipts/receipts.ts";
import type { CommandInput, CommandResult, IdempotentCall } from "../core/storage.ts";
import { checkSearchLimit, type SearchRunner } from "../core/search.ts";
import { boardPage, boardSlice, jobsPosted, latestJob, readJob, type BoardQuery } from "./queries.ts";
import { jobs_posted, type JobInput } from "./commands.ts";
import * as receipt_source from "./receipt.ts";
import { canonicalFilter, type JobFilter } from "./filter.ts";
import { createEnds } from "./ends.ts";
import type { BoardPage, JobRecord } from "./representations.ts";
import { countJobs, jobExcerpts } from "./store.ts";
import type { JobExcerpt } from "../mailbox/excerpts.ts";

interface JobsDeps extends OperationDeps<JobCommands> {
  search: SearchRunner<JobSearches>;
  receipts: Receipts;
  log: Log;
  /** The most jobs that a name may hold at a time. */
  held_jobs_max: number;
  /** The caller's claimed name. Throws if the caller sent no key. */
  identityOf(caller: Caller): Identity;
  /** The canonical form of a name. */
  canonicalName(name: string): string;
}

/** `q`: words in the title or the detail. */
type BoardRequest = Omit<BoardQuery, keyof Moment> & { q?: string | undefined };

export type Jobs = ReturnType<typeof createJobs>;

/** The commands of callers that take a job as their only input. */
type JobCommand = {
  [N in CallerCommandName<JobCommands>]: JobInput extends CommandInput<Functions<JobCommands>, N> ? N : never;
}[CallerCommandName<JobCommands>];

export function createJobs(deps: JobsDeps) {
  const { storage, commands, search, clock, random, receipts } = deps;
  const { held_jobs_max, identityOf, canonicalName } = deps;
  const ends = createEnds(deps);

  /** The common input of commands on a job. */
  function input(caller: Caller, id: string) {
    const identity = identityOf(caller);
    const moment = clock.moment();
    return { ...moment, identity, id: id.toLowerCase(), note_id: random.uuid(moment.now_ms) };
  }

  async function list(query: BoardQuery): Promise<BoardPage> {
    const counts = await storage.read((tx) => countJobs(tx, steadyTime(query)));
    let slices = 0;
    const page = await boardPage(query, async (after) => {
      // Yield to the event loop between slices.
      if (slices++ > 0) await clock.turn();
      return storage.read((tx) => boardSlice(tx, query, after));
    });
    return { ...page, ...counts };
  }

  return {
    /** Settles leases that have ended. If the storage refuses it, readers lack the notes about them until later. */
    settle: ends.settle,
    /** Cancels the next settlement of leases. */
    close: ends.close,

    /** A page of the board, the newest or the oldest jobs first. With `q`, searches. */
    async list(caller: Caller, request: BoardRequest): Promise<BoardPage> {
      const { q, ...rest } = request;
      const query = {
        ...rest,
        ...clock.moment(),
        filter: canonicalFilter(request.filter, canonicalName),
      };
      if (q === undefined) return list(query);
      checkSearchLimit(query.limit);
      return search.run(caller, "jobs.search", { ...query, q });
    },

    /** The newest open jobs, and how many jobs there are. */
    latest: (limit: number): Promise<BoardPage> =>
      list({ ...clock.moment(), filter: { state: "open" }, oldest_first: false, limit }),

    /** All jobs that match, oldest first, in small chunks. `filter`: its names are canonical. */
    all(filter: JobFilter): Chunks<JobRecord[]> {
      let after: number | undefined;
      let has_ended = false;
      return async () => {
        if (has_ended) return null;
        await clock.turn();
        const query = { ...clock.moment(), filter, oldest_first: true, limit: 1 };
        const slice = await storage.read((tx) => boardSlice(tx, query, after));
        has_ended = slice.last === null;
        after = slice.last ?? undefined;
        return slice.jobs.map(({ job }) => job);
      };
    },

    /** The newest jobs that a name posted, and those that it delivered. `name`: its canonical form. */
    async ofName(name: string, limit: number): Promise<Record<"posted" | "delivered", JobRecord[]>> {
      const newest = { ...clock.moment(), limit, oldest_first: false };
      const posted = await list({ ...newest, filter: { by: name } });
      const delivered = await list({ ...newest, filter: { delivered_by: name } });
      return { posted: posted.jobs, delivered: delivered.jobs };
    },

    /** The topic that is published when a job is posted. */
    posted_topic: jobs_posted,

    /** Open jobs that were posted after `cursor` (undefined: now), and the position after them. Throws `invalid_fields`. */
    posted: (cursor?: string): Promise<{ jobs: JobRecord[]; cursor: string }> =>
      storage.read(async (tx) =>
        cursor === undefined
          ? { jobs: [], cursor: await latestJob(tx) }
          : jobsPosted(tx, cursor, clock.moment()),
      ),

    /** One job. Throws `job_not_found`. */
    read: (id: string): Promise<JobRecord> =>
      storage.read((tx) => readJob(tx, id.toLowerCase(), clock.moment())),

    /** The jobs among `ids`, with the first `chars` code points of their results, or of their details if not delivered. */
    excerpts: (ids: string[], chars: number): Promise<JobExcerpt[]> =>
      storage.read((tx) => jobExcerpts(tx, ids, chars)),

    /** The receipts that the caller has seen of a job, signed again. */
    receiptsFor: ({ identity }: Caller, job: JobRecord): ShownReceipt[] =>
      receipt_source.receiptsSeenBy(identity?.canonical, job).map(receipts.shown),

    /** Posts a job. Returns it and the poster's receipt. */
    async post(
      caller: Caller,
      job: { title: string; detail: string; tags?: string[] | undefined },
      call?: IdempotentCall,
    ): Promise<{ job: JobRecord; receipt: string }> {
      const { title, detail, tags = [] } = job;
      const id = random.uuid(clock.now());
      const { note_id: _none, ...given } = input(caller, id);
      const speaker = given.identity.name;
      const post = { ...given, title, detail, tags };
      const { result } = await commands.run(caller, "jobs.post", speaker, post, call);
      return { job: result, receipt: receipts.issue(receipt_source.posted(result)) };
    },

    /** Runs a command that needs nothing but the id of a job. */
    async act<N extends JobCommand>(
      caller: Caller,
      name: N,
      id: string,
      call?: IdempotentCall,
    ): Promise<CommandResult<Functions<JobCommands>, N>> {
      const given = input(caller, id);
      return (await commands.run(caller, name, given.identity.name, given, call)).result;
    },

    /** Claims an open job: a lease of 60 minutes. */
    async claim(caller: Caller, id: string, call?: IdempotentCall): Promise<JobRecord> {
      const given = { ...input(caller, id), held_jobs_max };
      return (await commands.run(caller, "jobs.claim", given.identity.name, given, call)).result;
    },

    /** Delivers a held job. Returns it and the deliverer's receipt. */
    async deliver(
      caller: Caller,
      id: string,
      { result, claim_no = null }: { result: string; claim_no?: number | null | undefined },
      call?: IdempotentCall,
    ): Promise<{ job: JobRecord; receipt: string }> {
      const given = { ...input(caller, id), result, claim_no };
      const written = await commands.run(caller, "jobs.deliver", given.identity.name, given, call);
      return { job: written.result, receipt: receipts.issue(receipt_source.delivered(written.result)) };
    },

    /** Withdraws a job in any state and erases its texts, for an admin. Throws `job_not_found`. */
    async withdrawAsAdmin({ actor }: Admin, id: string, reason: string) {
      const input = { ...clock.moment(), actor, reason, id: id.toLowerCase() };
      return (await storage.write("jobs.withdraw_as_admin", input)).result;
    },

    /** Reviews a delivery. If accepted, returns the deliverer's second receipt, which is in its mailbox, too. */
    async review(
      caller: Caller,
      id: string,
      { verdict, reason = "" }: { verdict: "accepted" | "disputed"; reason?: string | undefined },
      call?: IdempotentCall,
    ): Promise<{ job: JobRecord; receipt: string | null }> {
      const given = input(caller, id);
      const at = isoTime(given.now_ms);
      const review = async () => {
        const found = await storage.read((tx) => readJob(tx, given.id, given));
        const has_receipt = verdict === "accepted" && found.state === "delivered";
        const receipt = has_receipt ? receipts.issue(receipt_source.accepted(found, at)) : null;
        return { ...given, verdict, reason: reason || null, receipt };
      };
      const { result: job } = await commands.run(caller, "jobs.review", given.identity.name, review, call);
      // A repetition may come after the operator has erased the texts.
      const is_accepted = job.verdict === "accepted" && !job.redacted;
      const receipt = is_accepted ? receipts.issue(receipt_source.accepted(job, job.reviewed_at!)) : null;
      return { job, receipt };
    },
  };
}
