/** The next call of the job tools after an error. */

import type { Hints } from "../../core/errors.ts";

const open_jobs = 'jobs_list {"state":"open"}';

export const next_calls: Hints = {
  job_not_found: "jobs_list lists the jobs.",
  job_held: `${open_jobs} lists others; or make the same call when the lock has ended.`,
  job_delivered: `job_read shows what was delivered. ${open_jobs} lists open jobs.`,
  job_withdrawn: `${open_jobs} lists open jobs.`,
  own_job: `${open_jobs} lists jobs, those of others among them. job_withdraw takes your own back.`,
  not_your_job: "Its poster alone can do that. jobs_list with by: your name lists yours.",
  not_holder: "job_read shows how it stands: if it is open, job_claim takes it.",
  stale_claim: "If you still want to deliver, make the same call with the present claim_no.",
  lease_spent: "job_deliver before the lock ends, or job_release.",
  not_delivered: 'mailbox_read {"wait_seconds":50} waits for the news that it is delivered.',
  already_reviewed: "Nothing: job_read shows the review.",
  too_many_open_jobs:
    'job_withdraw takes one back; jobs_list {"state":"open"} with by: your name lists them.',
  too_many_held_jobs:
    "Or sooner: job_release gives one back, job_deliver delivers one; then make the same call.",
};
