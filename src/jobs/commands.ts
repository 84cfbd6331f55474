/** The write commands of jobs. Each writes the notes for the names concerned in the same transaction. */

import { job_errors } from "./errors.ts";
import { isoTime, shownTime, steadyTime, type Moment } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { PutNote } from "../mailbox/commands.ts";
import type { Identity } from "../core/caller.ts";
import { Overtaken, type Tx } from "../core/storage.ts";
import { settleExpired } from "./lease_expiry.ts";
import { jobFromRow, type JobRecord } from "./representations.ts";
import { countOpen } from "./open_jobs.ts";
import * as store from "./store.ts";
import { job_limits } from "../api/limits.ts";

/** The caller, the job and the time of a command. `note_id`: the id of the note that the command may write. */
export interface JobInput extends Moment {
  identity: Identity;
  id: string;
  note_id: string;
}

export interface PostInput extends Omit<JobInput, "note_id"> {
  title: string;
  detail: string;
  tags: string[];
}

/** The topic that is published when a job is posted. */
export const jobs_posted = "jobs.posted";

/** Posts a job. The number of open jobs of a name is limited. */
export async function postJob(tx: Tx, input: PostInput): Promise<JobRecord> {
  const created = isoTime(input.now_ms);
  const poster = input.identity.canonical;
  if ((await store.countOpenOf(tx, poster, steadyTime(input))) >= job_limits.open_jobs_per_name) {
    throw new ServiceError(
      job_errors.too_many_open_jobs,
      `You have ${job_limits.open_jobs_per_name} open jobs already.`,
    );
  }
  const { id, title, detail } = input;
  const seq = await store.insertJob(tx, { id, poster, title, detail, created });
  for (const tag of input.tags) await store.insertTag(tx, seq, tag);
  await countOpen(tx, 1);
  await store.counters.add(tx, "jobs_total", 1);
  tx.announce(jobs_posted);
  return recordOf(tx, id, input);
}

export interface ClaimInput extends JobInput {
  /** The most jobs that a name may hold at a time. */
  held_jobs_max: number;
}

/**
 * Takes the lease of an open job. `claim_no` rises with every claim, so that an earlier holder cannot use this claim.
 * Throws `too_many_held_jobs` if the name already holds the most jobs allowed.
 */
export async function claimJob(tx: Tx, putNote: PutNote, input: ClaimInput): Promise<JobRecord> {
  const job = await presentJob(tx, putNote, input);
  if (job.poster === input.identity.canonical) {
    throw new ServiceError(job_errors.own_job, "You posted this job yourself.");
  }
  checkOpen(job, input);
  await checkHeld(tx, input);
  const [steady, ends] = [steadyTime(input), leaseEnd(input)];
  if (!(await store.takeJob(tx, job.id, input.identity.canonical, steady, ends))) throw new Overtaken();
  await countOpen(tx, -1);
  await note(tx, putNote, input, job.poster, "job.claimed", job, {
    by: input.identity.name,
    until: shownTime(ends, input.ahead_ms),
  });
  return recordOf(tx, job.id, input);
}

async function checkHeld(tx: Tx, input: ClaimInput): Promise<void> {
  const { identity, held_jobs_max } = input;
  const now = steadyTime(input);
  const { count, first_end } = await store.heldBy(tx, identity.canonical, now);
  if (count < held_jobs_max) return;
  throw new ServiceError(
    job_errors.too_many_held_jobs,
    `You hold ${count} jobs; a name holds at most ${held_jobs_max}.`,
    {
      retry_after_seconds: Math.ceil((Date.parse(first_end!) - Date.parse(now)) / 1000),
    },
  );
}

/** The steady time at which a lease that begins or is extended now expires. */
const leaseEnd = ({ now_ms, ahead_ms }: JobInput): string =>
  steadyTime({ now_ms: now_ms + job_limits.lease_seconds * 1000, ahead_ms });

/** Extends a lease to 60 minutes from now, at most 24 hours after the claim. */
export async function extendJob(tx: Tx, putNote: PutNote, input: JobInput): Promise<JobRecord> {
  const job = await heldBy(tx, putNote, input);
  const last = isoTime(Date.parse(job.claimed_at!) + job_limits.lease_seconds_in_all_max * 1000);
  if (job.lease_expires_at! >= last) {
    throw new ServiceError(job_errors.lease_spent, "A lock ends 24 hours after the claim at the latest.");
  }
  const from_now = leaseEnd(input);
  // An extension never shortens the lease.
  const until = [job.lease_expires_at!, from_now < last ? from_now : last].sort().at(-1)!;
  if (until === job.lease_expires_at) return recordOf(tx, job.id, input);
  if (!(await store.extendLease(tx, job.id, job.claim_no, until))) throw new Overtaken();
  return recordOf(tx, job.id, input);
}

/** Ends a lease early. */
export async function releaseJob(
  tx: Tx,
  putNote: PutNote,
  input: JobInput,
): Promise<{ id: string; released: true }> {
  const job = await heldBy(tx, putNote, input);
  if (!(await store.openAgain(tx, job))) throw new Overtaken();
  await countOpen(tx, 1);
  await note(tx, putNote, input, job.poster, "job.released", job, { by: input.identity.name });
  return { id: job.id, released: true };
}

export interface DeliverInput extends JobInput {
  result: string;
  claim_no: number | null;
}

/** Delivers a held job. A repeated delivery of the same result gets the same answer. */
export async function deliverJob(tx: Tx, putNote: PutNote, input: DeliverInput): Promise<JobRecord> {
  const at = isoTime(input.now_ms);
  const { canonical, name } = input.identity;
  const found = await presentJob(tx, putNote, input);
  if (found.state === "delivered") {
    const is_same = found.holder === canonical && found.result === input.result;
    if (is_same) return recordOf(tx, found.id, input);
    throw delivered();
  }
  const job = await heldBy(tx, putNote, input);
  if (input.claim_no !== null && input.claim_no !== job.claim_no) {
    throw new ServiceError(job_errors.stale_claim, `The present claim is number ${job.claim_no}.`, {
      members: { claim_no: job.claim_no },
    });
  }
  if (!(await store.deliverJob(tx, job.id, job.claim_no, input.result, at))) throw new Overtaken();
  await note(tx, putNote, input, job.poster, "job.delivered", job, { by: name });
  return recordOf(tx, job.id, input);
}

/** Withdraws an open job. */
export async function withdrawJob(tx: Tx, putNote: PutNote, input: JobInput): Promise<JobRecord> {
  const job = await ownJob(tx, putNote, input);
  if (job.state !== "withdrawn") {
    checkOpen(job, input);
    if (!(await store.withdrawJob(tx, job.id))) throw new Overtaken();
    await countOpen(tx, -1);
  }
  return recordOf(tx, job.id, input);
}

export interface ReviewInput extends JobInput {
  verdict: "accepted" | "disputed";
  reason: string | null;
  /** The deliverer's receipt for an accepted delivery; a delivery cannot change, so it was signed beforehand. */
  receipt: string | null;
}

/** Reviews a delivery, once. */
export async function reviewJob(tx: Tx, putNote: PutNote, input: ReviewInput): Promise<JobRecord> {
  const at = isoTime(input.now_ms);
  const job = await ownJob(tx, putNote, input);
  // A review sent before the delivery has no receipt for it: its poster cannot have seen the result.
  const came_before = input.verdict === "accepted" && input.receipt === null;
  if (job.state !== "delivered" || (came_before && job.verdict === null)) {
    throw new ServiceError(job_errors.not_delivered, "There is nothing to review yet.");
  }
  if (!(await store.reviewJob(tx, job.id, input.verdict, input.reason, at))) {
    throw new ServiceError(job_errors.already_reviewed, "You have reviewed this delivery.");
  }
  const { verdict, reason, receipt } = input;
  const content = { by: input.identity.name, verdict, reason, ...(receipt && { receipt }) };
  await note(tx, putNote, input, job.holder!, "job.reviewed", job, content);
  return recordOf(tx, job.id, input);
}

/** The current state of the job. Settles an expired lease first. */
async function presentJob(tx: Tx, putNote: PutNote, input: JobInput): Promise<store.NamedJobRow> {
  const job = await store.findJob(tx, input.id);
  if (!job) throw jobNotFound();
  if (job.state !== "held" || job.lease_expires_at! > steadyTime(input)) return job;
  await settleExpired(tx, putNote, job, input);
  return (await store.findJob(tx, input.id))!;
}

async function heldBy(tx: Tx, putNote: PutNote, input: JobInput): Promise<store.NamedJobRow> {
  const job = await presentJob(tx, putNote, input);
  if (job.state === "delivered") throw delivered();
  if (job.state === "held" && job.holder === input.identity.canonical) return job;
  throw new ServiceError(job_errors.not_holder, "You do not hold this job now.", {
    ...(job.state === "open" && { situation: "open" }),
  });
}

async function ownJob(tx: Tx, putNote: PutNote, input: JobInput): Promise<store.NamedJobRow> {
  const job = await presentJob(tx, putNote, input);
  if (job.poster === input.identity.canonical) return job;
  throw new ServiceError(job_errors.not_your_job, "Only whoever posted this job can do that.");
}

function checkOpen(job: store.NamedJobRow, input: JobInput): void {
  if (job.state === "held") throw held(job, input);
  if (job.state === "delivered") throw delivered();
  if (job.state === "withdrawn")
    throw new ServiceError(job_errors.job_withdrawn, "This job has been taken back.");
}

function held(job: store.NamedJobRow, { ahead_ms }: JobInput): ServiceError {
  const until = shownTime(job.lease_expires_at!, ahead_ms);
  return new ServiceError(job_errors.job_held, `Somebody holds this job until ${until}.`, {
    members: { held_by: job.holder_name, until },
  });
}

const delivered = (): ServiceError =>
  new ServiceError(job_errors.job_delivered, "This job has been delivered.");

export const jobNotFound = (): ServiceError =>
  new ServiceError(job_errors.job_not_found, "There is no job with that id.");

const recordOf = async (tx: Tx, id: string, { ahead_ms }: Pick<Moment, "ahead_ms">): Promise<JobRecord> => {
  const row = (await store.findJob(tx, id))!;
  return jobFromRow(row, await store.tagsOf(tx, row.seq), ahead_ms);
};

const note = (
  tx: Tx,
  putNote: PutNote,
  { note_id, now_ms }: JobInput,
  to: string,
  kind: Parameters<PutNote>[2]["kind"],
  job: store.NamedJobRow,
  content: Record<string, unknown>,
): Promise<void> =>
  putNote(tx, to, {
    id: note_id,
    kind,
    at: isoTime(now_ms),
    content: { job: job.id, title: job.title, ...content },
  });
