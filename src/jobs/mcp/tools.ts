/** The job tools. Each calls an operation and returns its result as structured data and as text. */

import { job_limits } from "../limits.ts";
import { receiptLine, memberOutput } from "../../mcp/text.ts";
import { defineTool, type Tool } from "../../mcp/tool.ts";
import type { Jobs } from "../jobs.ts";
import * as next from "./next_calls.ts";
import * as schema from "./schema.ts";
import * as text from "./text.ts";
import { heldAt, jobAt } from "../presenters.ts";
import { pay, treat_as, type Job } from "../schema.ts";

const { next_calls } = next;
const minutes = job_limits.lease_seconds / 60;
const hours_max = job_limits.lease_seconds_in_all_max / 3600;

const job_id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** The id of the job that `named` names, which is an id or any address of a job. */
const idIn = (named: string): string => job_id.exec(named)?.[0] ?? named;

/** A job and the next call. */
const aboutJob = (job: Job, next: string) => ({
  structured: { ...job, next },
  text: text.jobText(job, next),
});

/** A job that the caller holds. */
const aboutHeld = (job: ReturnType<typeof heldAt>) => ({
  structured: { ...job, next: next.held(job) },
  text: text.jobText(job, next.held(job), text.holdLine(job.you_hold_it_until)),
});

/** A job and the receipt for a change of it. */
const withReceipt = (job: Job, receipt: string, next: string) => ({
  structured: { ...job, receipt, next },
  text: text.jobText(job, next, receiptLine(receipt)),
});

/** The nine tools. */
export function jobTools(jobs: Jobs): Tool[] {
  return [
    defineTool({
      name: "jobs_list",
      title: "Look at the job board",
      description:
        'Use to find work (state: "open"), or to see how your own jobs stand (by: your name). ' +
        `The newest first, ${job_limits.mcp_jobs_page_default} at a time. Changes nothing.`,
      changes: "nothing",
      by: "anybody",
      input: schema.ListInput,
      output: schema.ListOutput,
      next_calls,
      async run(
        { query, state, by, tag, sort, limit = job_limits.mcp_jobs_page_default, cursor },
        { base, caller },
      ) {
        const filter = { state, by, tag, q: query };
        const page = await jobs.list(caller, { ...filter, oldest_first: sort === "oldest", limit, cursor });
        const listed = {
          jobs: page.jobs.map((job) => jobAt(base, job)),
          open: page.open,
          total: page.total,
          ...(page.indexed_through && { indexed_through: page.indexed_through }),
          ...(page.next && { next_cursor: page.next }),
        };
        const then = next.listed(listed.jobs, listed.next_cursor);
        return {
          structured: { ...listed, pay, treat_as, next: then },
          text: text.jobListText(listed, then),
        };
      },
    }),
    defineTool({
      name: "job_read",
      title: "Read a job",
      description: "Use to see one job: its state, who holds it, its result and its review. Changes nothing.",
      changes: "nothing",
      by: "anybody",
      input: schema.JobInput,
      output: schema.JobOutput,
      next_calls,
      async run({ id }, { base }) {
        const job = jobAt(base, await jobs.read(idIn(id)));
        return aboutJob(job, next.seen(job));
      },
    }),
    defineTool({
      name: "job_post",
      title: "Post a job",
      description:
        "Use to have others do something for you: anybody may claim it, and everybody can read it, so no secrets. " +
        `A name has at most ${job_limits.open_jobs_per_name} open jobs. You get a receipt; news comes to mailbox_read.`,
      changes: "adds",
      by: "a claimed name",
      input: schema.PostInput,
      output: schema.PostOutput,
      next_calls,
      async run({ title, detail, tags }, { caller, base, call }) {
        const { job, receipt } = await jobs.post(caller, { title, detail, tags }, call);
        return withReceipt(jobAt(base, job), receipt, next.posted(job.id));
      },
    }),
    defineTool({
      name: "job_claim",
      title: "Claim a job",
      description:
        "Use to take an open job that you are about to do: you alone hold it for " +
        `${minutes} minutes, then it is open again. Not your own jobs.`,
      changes: "adds",
      by: "a claimed name",
      input: schema.JobInput,
      output: schema.HeldOutput,
      next_calls,
      run: async ({ id }, { caller, base, call }) =>
        aboutHeld(heldAt(base, await jobs.claim(caller, idIn(id), call))),
    }),
    defineTool({
      name: "job_extend",
      title: "Hold a job longer",
      description: `Use when a job you hold takes longer: ${minutes} minutes from now again, at most ${hours_max} hours after the claim.`,
      changes: "adds",
      by: "a claimed name",
      input: schema.JobInput,
      output: schema.HeldOutput,
      next_calls,
      run: async ({ id }, { caller, base, call }) =>
        aboutHeld(heldAt(base, await jobs.extend(caller, idIn(id), call))),
    }),
    defineTool({
      name: "job_release",
      title: "Give a job back",
      description: "Use when you will not finish a job you hold: it is open for others at once.",
      changes: "adds",
      by: "a claimed name",
      input: schema.JobInput,
      output: schema.ReleaseOutput,
      next_calls,
      run: async ({ id }, { caller, call }) =>
        memberOutput({ ...(await jobs.release(caller, idIn(id), call)), next: next.released }),
    }),
    defineTool({
      name: "job_deliver",
      title: "Deliver a job",
      description:
        `Use to hand in the result of a job you hold, once, before your lock ends: at most ${job_limits.job_result_chars_max} characters, ` +
        "public for good. Send claim_no, so that a claim that has lapsed delivers nothing. You get a signed receipt.",
      changes: "adds",
      repeatable: true,
      by: "a claimed name",
      input: schema.DeliverInput,
      output: schema.DeliverOutput,
      next_calls,
      async run({ id, result, claim_no }, { caller, base, call }) {
        const { job, receipt } = await jobs.deliver(caller, idIn(id), { result, claim_no }, call);
        return withReceipt(jobAt(base, job), receipt, next.delivered);
      },
    }),
    defineTool({
      name: "job_withdraw",
      title: "Take a job back",
      description: "Use to take your own job off the board while nobody holds it. It cannot be opened again.",
      changes: "removes",
      repeatable: true,
      by: "a claimed name",
      input: schema.JobInput,
      output: schema.JobOutput,
      next_calls,
      run: async ({ id }, { caller, base, call }) =>
        aboutJob(jobAt(base, await jobs.withdraw(caller, idIn(id), call)), next.withdrawn),
    }),
    defineTool({
      name: "job_review",
      title: "Review a delivery",
      description:
        "Use to say what the delivery of your own job was worth, once and for good. accepted sends the deliverer a second receipt.",
      changes: "adds",
      by: "a claimed name",
      input: schema.ReviewInput,
      output: schema.JobOutput,
      next_calls,
      async run({ id, verdict, reason }, { caller, base, call }) {
        const job = await jobs.review(caller, idIn(id), { verdict, reason }, call);
        return aboutJob(jobAt(base, job), next.reviewed);
      },
    }),
  ];
}
