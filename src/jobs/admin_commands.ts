/** What admins do with jobs: withdraw one and erase its texts, and return the jobs of a name that is suspended or released. */

import type { AdminAction, Audit } from "../core/admin.ts";
import { isoTime, steadyTime, type Moment } from "../core/clock.ts";
import { sha256Hex } from "../core/secrets.ts";
import { Overtaken, type Tx } from "../core/storage.ts";
import type { ForgetJob, PutNote } from "../mailbox/commands.ts";
import { changeAnswers } from "../storage/idempotency.ts";
import { jobNotFound } from "./commands.ts";
import { settleExpired } from "./lease_expiry.ts";
import { jobFromRow, type JobRecord } from "./representations.ts";
import { forgetJobText, indexedText } from "./search.ts";
import { countOpen } from "./open_jobs.ts";
import * as store from "./store.ts";

export interface JobAdminRules {
  audit: Audit;
  putNote: PutNote;
  /** Removes the texts of a job from the notes about it. */
  forgetJob: ForgetJob;
}

interface WithdrawInput extends AdminAction, Moment {
  id: string;
}

/**
 * Withdraws a job in any state and erases its texts: in the job, the index, the notes about it and the stored answers of calls
 * with an idempotency key. Notifies the poster, and the name that holds or delivered it. Again, it gives the same answer.
 */
export async function withdrawAsAdmin(
  tx: Tx,
  rules: JobAdminRules,
  input: WithdrawInput,
): Promise<{ job: JobRecord; found: Pick<JobRecord, "state" | "title"> }> {
  const row = await store.findJob(tx, input.id);
  if (!row) throw jobNotFound();
  const { state, title } = jobFromRow(row, [], input.ahead_ms);
  if (row.redacted === null) await erase(tx, rules, row, input);
  const job = jobFromRow((await store.findJob(tx, input.id))!, [], input.ahead_ms);
  return { job, found: { state, title } };
}

async function erase(
  tx: Tx,
  { audit, putNote, forgetJob }: JobAdminRules,
  job: store.NamedJobRow,
  input: WithdrawInput,
): Promise<void> {
  const is_counted = job.state === "open";
  await store.eraseJob(tx, job.seq);
  await countOpen(tx, is_counted ? -1 : 0);
  await forgetJobText(tx, job.seq, indexedText(job));
  await forgetJob(tx, job.id);
  await changeAnswers(tx, job.id, withoutTexts);
  for (const [to, you_were] of [
    [job.poster, "poster"],
    [job.holder, "holder"],
  ] as const) {
    if (to === null) continue;
    await putNote(tx, to, {
      id: sha256Hex(`withdrawn ${job.id} ${you_were}`).slice(0, 32),
      kind: "job.withdrawn",
      at: isoTime(input.now_ms),
      content: { job: job.id, you_were },
    });
  }
  await audit(tx, input, "job.withdraw", `job ${job.id}`);
  tx.erases();
}

/** The stored answer of a command on a job, without the texts of the job. */
function withoutTexts(answer: unknown): unknown {
  const record = answer as Partial<JobRecord>;
  if (typeof record !== "object" || record === null || record.title === undefined) return answer;
  return {
    ...record,
    title: "",
    detail: "",
    tags: [],
    result: record.result == null ? null : "",
    reason: null,
    redacted: "operator",
  };
}

/** Returns the jobs that a name holds to the board, and notifies their posters. */
export async function releaseHeldJobs(
  tx: Tx,
  putNote: PutNote,
  holder: string,
  name: string,
  at: Moment,
): Promise<void> {
  for (const job of await store.jobsHeldBy(tx, holder)) {
    if (job.lease_expires_at! <= steadyTime(at)) {
      await settleExpired(tx, putNote, job, at);
      continue;
    }
    if (!(await store.openAgain(tx, job))) throw new Overtaken();
    await countOpen(tx, 1);
    await putNote(tx, job.poster, {
      id: sha256Hex(`released ${job.id} ${job.claim_no}`).slice(0, 32),
      kind: "job.released",
      at: isoTime(at.now_ms),
      content: { job: job.id, title: job.title, by: name },
    });
  }
}
