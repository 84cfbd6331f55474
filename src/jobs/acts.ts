/** The acts of the job board. Each that changes a job tells whoever it concerns, in the same transaction. */

import { isoTime } from "../clock.ts";
import { ServiceError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { PutNote } from "../mailbox/acts.ts";
import type { ActAs, Identity } from "../names/authentication.ts";
import { addToCounter } from "../storage/counters.ts";
import type { Tx } from "../storage/port.ts";
import { settleLapsed } from "./lapse.ts";
import { jobFromRow, type JobRecord } from "./record.ts";
import * as store from "./store.ts";

/** What the acts of jobs need of other features. */
export interface JobRules extends ActAs {
  putNote: PutNote;
}

/** Who acts, on which job, when. `note_id` is the id of the note that the act may cause. */
export interface JobInput {
  identity: Identity;
  id: string;
  note_id: string;
  now_ms: number;
}

export interface PostInput extends Omit<JobInput, "note_id"> {
  title: string;
  detail: string;
  tags: string[];
}

/** Posts a job. A name has only so many open ones. */
export async function postJob(tx: Tx, rules: JobRules, input: PostInput): Promise<JobRecord> {
  const created = isoTime(input.now_ms);
  const poster = input.identity.canonical;
  await rules.checkKey(tx, input.identity);
  if ((await store.countOpenOf(tx, poster, created)) >= limits.open_jobs_per_name) {
    throw new ServiceError("too_many_open_jobs", `You have ${limits.open_jobs_per_name} open jobs already.`, {
      hint: "Withdraw one: POST /api/jobs/{id}/withdraw",
    });
  }
  const { id, title, detail } = input;
  const seq = await store.insertJob(tx, { id, poster, title, detail, created });
  for (const tag of input.tags) await store.insertTag(tx, seq, tag);
  await addToCounter(tx, "jobs_open", 1);
  await addToCounter(tx, "jobs_total", 1);
  await rules.countAct(tx, input.identity, created);
  return recordOf(tx, id);
}

export interface ClaimInput extends JobInput {
  /** How many jobs a name may hold at a time. */
  held_jobs_max: number;
}

/**
 * Takes the lock of an open job. `claim_no` rises with every claim, so that no earlier holder can act for this one. Throws
 * `too_many_held_jobs` for a name that holds its share already.
 */
export async function claimJob(tx: Tx, rules: JobRules, input: ClaimInput): Promise<JobRecord> {
  const at = isoTime(input.now_ms);
  await rules.checkKey(tx, input.identity);
  const job = await presentJob(tx, rules, input.id, at);
  if (job.poster === input.identity.canonical) {
    throw new ServiceError("own_job", "You posted this job yourself.");
  }
  checkOpen(job);
  await checkHeld(tx, input, at);
  const until = isoTime(input.now_ms + limits.lease_seconds * 1000);
  if (!(await store.takeJob(tx, job.id, input.identity.canonical, at, until))) throw held(job);
  await addToCounter(tx, "jobs_open", -1);
  await note(tx, rules, input, job.poster, "job.claimed", job, { by: input.identity.name, until });
  await rules.countAct(tx, input.identity, at);
  return recordOf(tx, job.id);
}

async function checkHeld(tx: Tx, { identity, held_jobs_max, now_ms }: ClaimInput, at: string): Promise<void> {
  const { count, first_end } = await store.heldBy(tx, identity.canonical, at);
  if (count < held_jobs_max) return;
  throw new ServiceError(
    "too_many_held_jobs",
    `You hold ${count} jobs; a name holds at most ${held_jobs_max}.`,
    {
      hint: "Deliver one, or give one back: POST /api/jobs/{id}/release",
      retry_after_seconds: Math.ceil((Date.parse(first_end!) - now_ms) / 1000),
    },
  );
}

/** Holds a job for another 60 minutes from now, 24 hours in all. */
export async function extendJob(tx: Tx, rules: JobRules, input: JobInput): Promise<JobRecord> {
  const at = isoTime(input.now_ms);
  await rules.checkKey(tx, input.identity);
  const job = await heldBy(tx, rules, input, at);
  const last = isoTime(Date.parse(job.claimed_at!) + limits.lease_seconds_in_all_max * 1000);
  if (job.lease_expires_at! >= last) {
    throw new ServiceError("lease_spent", "A lock ends 24 hours after the claim at the latest.");
  }
  const from_now = isoTime(input.now_ms + limits.lease_seconds * 1000);
  // A clock that was set back takes nothing from the holder.
  const until = [job.lease_expires_at!, from_now < last ? from_now : last].sort().at(-1)!;
  if (until === job.lease_expires_at) return recordOf(tx, job.id);
  await store.extendLease(tx, job.id, job.claim_no, until);
  await rules.countAct(tx, input.identity, at);
  return recordOf(tx, job.id);
}

/** Gives the lock back early. */
export async function releaseJob(
  tx: Tx,
  rules: JobRules,
  input: JobInput,
): Promise<{ id: string; released: true }> {
  const at = isoTime(input.now_ms);
  await rules.checkKey(tx, input.identity);
  const job = await heldBy(tx, rules, input, at);
  await store.openAgain(tx, job.id, job.claim_no);
  await addToCounter(tx, "jobs_open", 1);
  await note(tx, rules, input, job.poster, "job.released", job, { by: input.identity.name });
  await rules.countAct(tx, input.identity, at);
  return { id: job.id, released: true };
}

export interface DeliverInput extends JobInput {
  result: string;
  claim_no: number | null;
}

/** Delivers a held job. Delivering the same again gets the same answer. */
export async function deliverJob(tx: Tx, rules: JobRules, input: DeliverInput): Promise<JobRecord> {
  const at = isoTime(input.now_ms);
  const { canonical, name } = input.identity;
  await rules.checkKey(tx, input.identity);
  const found = await presentJob(tx, rules, input.id, at);
  if (found.state === "delivered") {
    const is_same = found.holder === canonical && found.result === input.result;
    if (is_same) return recordOf(tx, found.id);
    throw delivered();
  }
  const job = await heldBy(tx, rules, input, at);
  if (input.claim_no !== null && input.claim_no !== job.claim_no) {
    throw new ServiceError("stale_claim", `The present claim is number ${job.claim_no}.`, {
      members: { claim_no: job.claim_no },
    });
  }
  await store.deliverJob(tx, job.id, job.claim_no, input.result, at);
  await note(tx, rules, input, job.poster, "job.delivered", job, { by: name });
  await rules.countAct(tx, input.identity, at);
  return recordOf(tx, job.id);
}

/** Takes an open job back. */
export async function withdrawJob(tx: Tx, rules: JobRules, input: JobInput): Promise<JobRecord> {
  const at = isoTime(input.now_ms);
  await rules.checkKey(tx, input.identity);
  const job = await ownJob(tx, rules, input, at);
  if (job.state !== "withdrawn") {
    checkOpen(job);
    await store.withdrawJob(tx, job.id);
    await addToCounter(tx, "jobs_open", -1);
    await rules.countAct(tx, input.identity, at);
  }
  return recordOf(tx, job.id);
}

export interface ReviewInput extends JobInput {
  verdict: "accepted" | "disputed";
  reason: string | null;
  /** The deliverer's receipt for an accepted delivery; a delivery cannot change, so it was signed beforehand. */
  receipt: string | null;
}

/** Says what a delivery was worth, once. */
export async function reviewJob(tx: Tx, rules: JobRules, input: ReviewInput): Promise<JobRecord> {
  const at = isoTime(input.now_ms);
  await rules.checkKey(tx, input.identity);
  const job = await ownJob(tx, rules, input, at);
  // A review that was on its way before the delivery has no receipt for it: its poster cannot have seen what it accepts.
  const came_before = input.verdict === "accepted" && input.receipt === null;
  if (job.state !== "delivered" || (came_before && job.verdict === null)) {
    throw new ServiceError("not_delivered", "There is nothing to review yet.");
  }
  if (!(await store.reviewJob(tx, job.id, input.verdict, input.reason, at))) {
    throw new ServiceError("already_reviewed", "You have reviewed this delivery.");
  }
  const { verdict, reason, receipt } = input;
  const content = { by: input.identity.name, verdict, reason, ...(receipt && { receipt }) };
  await note(tx, rules, input, job.holder!, "job.reviewed", job, content);
  await rules.countAct(tx, input.identity, at);
  return recordOf(tx, job.id);
}

/** The job as it is at `at`: a lease that has ended is settled first. */
async function presentJob(tx: Tx, rules: JobRules, id: string, at: string): Promise<store.NamedJobRow> {
  const job = await store.findJob(tx, id);
  if (!job) throw jobNotFound();
  if (job.state !== "held" || job.lease_expires_at! > at) return job;
  await settleLapsed(tx, rules.putNote, job);
  return (await store.findJob(tx, id))!;
}

async function heldBy(tx: Tx, rules: JobRules, input: JobInput, at: string): Promise<store.NamedJobRow> {
  const job = await presentJob(tx, rules, input.id, at);
  if (job.state === "delivered") throw delivered();
  if (job.state === "held" && job.holder === input.identity.canonical) return job;
  throw new ServiceError("not_holder", "You do not hold this job now.", {
    hint:
      job.state === "open"
        ? "It is open: POST /api/jobs/{id}/claim"
        : "GET /api/jobs?state=open lists open ones.",
  });
}

async function ownJob(tx: Tx, rules: JobRules, input: JobInput, at: string): Promise<store.NamedJobRow> {
  const job = await presentJob(tx, rules, input.id, at);
  if (job.poster === input.identity.canonical) return job;
  throw new ServiceError("not_your_job", "Only whoever posted this job can do that.");
}

function checkOpen(job: store.NamedJobRow): void {
  if (job.state === "held") throw held(job);
  if (job.state === "delivered") throw delivered();
  if (job.state === "withdrawn")
    throw new ServiceError("job_withdrawn", "Its poster has taken this job back.");
}

const held = (job: store.NamedJobRow): ServiceError =>
  new ServiceError("job_held", `Somebody holds this job until ${job.lease_expires_at}.`, {
    members: { held_by: job.holder_name, until: job.lease_expires_at },
    hint: "Take another (GET /api/jobs?state=open), or come back when the lock has ended.",
  });

const delivered = (): ServiceError => new ServiceError("job_delivered", "This job has been delivered.");

export const jobNotFound = (): ServiceError =>
  new ServiceError("job_not_found", "There is no job with that id.", {
    hint: "GET /api/jobs lists the jobs.",
  });

const recordOf = async (tx: Tx, id: string): Promise<JobRecord> => {
  const row = (await store.findJob(tx, id))!;
  return jobFromRow(row, await store.tagsOf(tx, row.seq));
};

const note = (
  tx: Tx,
  { putNote }: JobRules,
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
