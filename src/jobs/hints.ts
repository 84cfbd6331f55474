/** What a caller does next after an error of jobs. */

import { job_calls, mailbox_calls } from "../api/calls.ts";
import { hint, type HintsOf } from "../core/hints.ts";
import type { job_errors } from "./errors.ts";

const { list, read, claim, release, deliver, withdraw } = job_calls;
const open = list.with({ state: "open" }, "--state open");
const delivered = mailbox_calls.read.with({ wait_seconds: 50 }, "--wait 50");

export const job_hints = {
  job_not_found: hint`${list} lists the jobs.`,
  job_held: hint`${open} lists open jobs; or make the same call when the lock has ended.`,
  job_delivered: hint`${read} shows what was delivered. ${open} lists open jobs.`,
  job_withdrawn: hint`${open} lists open jobs.`,
  own_job: hint`${open} lists jobs, those of others among them. ${withdraw} takes your own back.`,
  not_your_job: hint`Its poster alone can do that. ${read} names the poster in by.`,
  stale_claim: hint`${read} shows your present claim. If you still want to deliver, send its claim_no.`,
  lease_spent: hint`Deliver before the lock ends, or give the job back: ${release}`,
  not_delivered: hint`${delivered} waits for the note that it is delivered.`,
  already_reviewed: hint`Do nothing more. ${read} shows the review.`,
  not_holder: hint`${read} shows how it stands. ${open} lists open jobs.`,
  "not_holder.open": hint`${read} shows how it stands. It is open: ${claim} takes it.`,
  too_many_open_jobs: hint`${withdraw} takes one back.`,
  too_many_held_jobs: hint`${deliver} delivers one, ${release} gives one back; then the same call works sooner.`,
} satisfies HintsOf<typeof job_errors>;
