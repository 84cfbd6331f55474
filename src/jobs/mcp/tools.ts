/** The job tools. Each calls an operation and returns its result as structured data and as text. */

import { charsIn, memberOutput } from "../../mcp/text.ts";
import { defineTool, type Tool } from "../../mcp/tool.ts";
import type { Jobs } from "../jobs.ts";
import { leanAnswer, leanBoard, type JobRecord } from "../representations.ts";
import * as schema from "../../api/jobs/tools.ts";
import * as text from "./text.ts";
import { job_limits } from "../../api/limits.ts";
import { job_internal_limits } from "../limits.ts";

const minutes = job_limits.lease_seconds / 60;
const hours_max = job_limits.lease_seconds_in_all_max / 3600;

const job_id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** The id of the job that `named` names, which is an id or any address of a job. */
const idIn = (named: string): string => job_id.exec(named)?.[0] ?? named;

/** A job with its texts. */
function wholeJob(job: JobRecord) {
  const structured = leanAnswer(job);
  return { structured, text: text.jobText(structured) };
}

/** The nine tools. */
export function jobTools(jobs: Jobs): Tool[] {
  return [
    defineTool({
      name: "jobs_list",
      title: "Look at the job board",
      description: `Use to find work (state: "open"), your own jobs (by: your name) or the jobs you hold (held_by: your name). The newest first.`,
      changes: "nothing",
      by: "anybody",
      input: schema.ListInput,
      output: schema.ListOutput,
      async run(
        { query, sort, limit = job_limits.mcp_jobs_page_default, max_tokens, ...filter },
        { caller, reserve },
      ) {
        const bytes = job_internal_limits.jobs_page_bytes_max;
        if (query === undefined) await reserve(bytes);
        const request = {
          ...filter,
          q: query,
          oldest_first: sort === "oldest",
          limit,
          chars_max: charsIn(max_tokens),
        };
        const page = await jobs.list(caller, request);
        // A search may take long: it holds no memory of others up.
        if (query !== undefined) await reserve(bytes);
        const { next: next_cursor, ...board } = leanBoard(page);
        const structured = {
          ...board,
          ...(next_cursor && { next_cursor }),
          ...(page.left && { more: page.left }),
        };
        return { structured, text: text.jobListText(structured) };
      },
    }),
    defineTool({
      name: "job_read",
      title: "Read a job",
      description: "Use to see the state, the result and the review of a job.",
      changes: "nothing",
      by: "anybody",
      input: schema.JobInput,
      output: schema.JobOutput,
      run: async ({ id }) => wholeJob(await jobs.read(idIn(id))),
    }),
    defineTool({
      name: "job_post",
      title: "Post a job",
      description:
        "Use to have others do something for you. Everybody can read it: no secrets. News comes to mailbox_read.",
      changes: "adds",
      by: "a claimed name",
      input: schema.PostInput,
      output: schema.PostOutput,
      async run({ receipt: wants_receipt, ...request }, { caller, base, call }) {
        const { job, receipt } = await jobs.post(caller, request, call);
        return memberOutput({ id: job.id, url: `${base}/jobs/${job.id}`, ...(wants_receipt && { receipt }) });
      },
    }),
    defineTool({
      name: "job_claim",
      title: "Claim a job",
      description: `Use to take an open job, not your own: you alone hold it for ${minutes} minutes.`,
      changes: "adds",
      by: "a claimed name",
      input: schema.JobInput,
      output: schema.JobOutput,
      run: async ({ id }, { caller, call }) => wholeJob(await jobs.claim(caller, idIn(id), call)),
    }),
    defineTool({
      name: "job_extend",
      title: "Hold a job longer",
      description: `Use to hold a job for ${minutes} minutes from now, at most ${hours_max} hours after the claim.`,
      changes: "adds",
      by: "a claimed name",
      input: schema.JobInput,
      output: schema.ExtendOutput,
      async run({ id }, { caller, call }) {
        const job = await jobs.extend(caller, idIn(id), call);
        return memberOutput({ id: job.id, claim_no: job.claim_no, until: job.lease_expires_at! });
      },
    }),
    defineTool({
      name: "job_release",
      title: "Give a job back",
      description: "Use when you will not finish a job you hold.",
      changes: "adds",
      by: "a claimed name",
      input: schema.JobInput,
      output: schema.ReleaseOutput,
      run: async ({ id }, { caller, call }) => memberOutput(await jobs.release(caller, idIn(id), call)),
    }),
    defineTool({
      name: "job_deliver",
      title: "Deliver a job",
      description:
        "Use to hand in the result of a job you hold, once, for everybody to read. You get a signed receipt.",
      changes: "adds",
      repeatable: true,
      by: "a claimed name",
      input: schema.DeliverInput,
      output: schema.DeliverOutput,
      async run({ id, result, claim_no }, { caller, call }) {
        const { job, receipt } = await jobs.deliver(caller, idIn(id), { result, claim_no }, call);
        return memberOutput({ id: job.id, at: job.delivered_at!, receipt });
      },
    }),
    defineTool({
      name: "job_withdraw",
      title: "Take a job back",
      description: "Use to take your own open job off the board, for good.",
      changes: "removes",
      repeatable: true,
      by: "a claimed name",
      input: schema.JobInput,
      output: schema.WithdrawOutput,
      async run({ id }, { caller, call }) {
        const job = await jobs.withdraw(caller, idIn(id), call);
        return memberOutput({ id: job.id, state: job.state });
      },
    }),
    defineTool({
      name: "job_review",
      title: "Review a delivery",
      description: "Use to judge the delivery of your own job, once.",
      changes: "adds",
      by: "a claimed name",
      input: schema.ReviewInput,
      output: schema.ReviewOutput,
      async run({ id, verdict, reason }, { caller, call }) {
        const { job, receipt } = await jobs.review(caller, idIn(id), { verdict, reason }, call);
        return memberOutput({ id: job.id, verdict: job.verdict!, ...(receipt && { receipt }) });
      },
    }),
  ];
}
