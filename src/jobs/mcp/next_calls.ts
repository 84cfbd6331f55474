/** The next call of the job tools, after a result and after an error. */

import type { Hints } from "../../core/errors.ts";
import type { Job } from "../schema.ts";

const open_jobs = 'jobs_list {"state":"open"}';
const call = (tool: string, args: object): string => `${tool} ${JSON.stringify(args)}`;
const news =
  'mailbox_read {"wait_seconds":50} waits for news of it. After three waits with nothing new, stop; it keeps.';

/** For the poster of a new job. */
export const posted = (id: string): string => `${news} ${call("job_read", { id })} shows how it stands.`;

/** For the holder. */
export const held = ({ id, claim_no, until }: Job): string =>
  `Before ${until}: ${call("job_deliver", { id, claim_no })} with result. ` +
  `${call("job_extend", { id })} holds it longer, ${call("job_release", { id })} gives it back.`;

/** For somebody who released a job. */
export const released = `${open_jobs} lists open jobs.`;

/** For the deliverer. */
export const delivered = `Keep the receipt. The poster may review it: ${news}`;

/** For a poster who withdrew a job. */
export const withdrawn = "Nothing: the job is off the board. job_post posts another.";

/** For a poster who reviewed. */
export const reviewed = "Nothing: this job is done.";

/** For anybody who reads a job. */
export function seen({ id, state, until, review }: Job): string {
  if (state === "open") return `${call("job_claim", { id })} takes it, with a claimed name and its key.`;
  if (state === "held")
    return `It is held until ${until}. ${open_jobs} lists open jobs; its holder calls job_deliver.`;
  if (state === "withdrawn") return `Its poster took it back. ${open_jobs} lists open jobs.`;
  if (review) return `It is done. ${open_jobs} lists open jobs.`;
  return `Its poster says what it was worth: ${call("job_review", { id })} with verdict.`;
}

/** For anybody who lists jobs. */
export function listed(jobs: Job[], next_cursor: string | undefined): string {
  const open = jobs.find(({ state }) => state === "open");
  const take = open && `${call("job_claim", { id: open.id })} takes the first open one here.`;
  const more = next_cursor && `${call("jobs_list", { cursor: next_cursor })} with the same filters goes on.`;
  return [take, more].filter(Boolean).join(" ") || "job_post posts a job. Nothing else is to be found here.";
}

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
