/** The plain calls of jobs: each with its route, its documentation, its form and its tool. */

import { job_calls } from "../api/calls.ts";
import { job_limits } from "../api/limits.ts";
import {
  ClaimedJob,
  DeliveredJob,
  DeliverJob,
  Job,
  JobParams,
  PostedJob,
  PostJob,
  Released,
  ReviewedJob,
  ReviewJob,
} from "../api/jobs/jobs.ts";
import * as tools from "../api/jobs/tools.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { call_errors } from "../core/general_errors.ts";
import { call } from "../core/hints.ts";
import { plainCall } from "../mcp/plain_call.ts";
import { body_failures, idempotency_failures, write_failures } from "../web/openapi/describe.ts";
import { job_errors } from "./errors.ts";
import type { Jobs } from "./jobs.ts";
import { jobText } from "./mcp/text.ts";
import { idIn } from "./mcp/tools.ts";
import { heldAt, jobAt, leanAnswer } from "./representations.ts";

const minutes = job_limits.lease_seconds / 60;

const acting = [
  caller_errors.credential_required,
  job_errors.job_not_found,
  ...write_failures,
  ...idempotency_failures,
];
const holding = [...acting, job_errors.not_holder, job_errors.job_delivered];

const by = "a claimed name";
const tag = "jobs";
/** A tool takes an id or any address of the job. */
const byId = <Args extends { id: string }>(args: Args): Args => ({ ...args, id: idIn(args.id) });

export const jobCalls = (jobs: Jobs) => [
  plainCall({
    at: call({ http: "POST /api/jobs", tool: "job_post", command: "jobs post TITLE DETAIL" }),
    by,
    body: PostJob,
    run: (job, { caller, call }) => jobs.post(caller, job, call),
    http: {
      summary: "Post a job",
      tag,
      operation_id: "postJob",
      status: 201,
      answers: { description: "The job and your receipt.", schema: PostedJob },
      failures: [
        ...body_failures,
        caller_errors.credential_required,
        job_errors.too_many_open_jobs,
        call_errors.contains_key,
      ],
      answer: ({ job, receipt }, base) => ({ ...jobAt(base, job), receipt }),
      location: ({ job }, base) => `${base}/api/jobs/${job.id}`,
    },
    tool: {
      title: "Post a job",
      description:
        "Use to have others do something for you. Everybody can read it: no secrets. News comes to mailbox_read.",
      changes: "adds",
      input: tools.PostInput,
      output: tools.PostOutput,
      result: ({ job, receipt }, { args, base }) => ({
        id: job.id,
        url: `${base}/jobs/${job.id}`,
        ...(args.receipt && { receipt }),
      }),
    },
  }),
  plainCall({
    at: job_calls.claim,
    by,
    params: JobParams,
    run: ({ id }, { caller, call }) => jobs.claim(caller, id, call),
    http: {
      summary: "Take a job's lock for 60 minutes",
      description: "Whoever posted a job cannot claim it: 403 own_job.",
      tag,
      operation_id: "claimJob",
      status: 200,
      answers: { description: "You hold it.", schema: ClaimedJob },
      failures: [
        ...acting,
        job_errors.job_held,
        job_errors.job_delivered,
        job_errors.job_withdrawn,
        job_errors.own_job,
        job_errors.too_many_held_jobs,
      ],
      answer: (job, base) => heldAt(base, job),
    },
    tool: {
      title: "Claim a job",
      description: `Use to take an open job, not your own: you alone hold it for ${minutes} minutes.`,
      changes: "adds",
      input: tools.JobInput,
      sent: byId,
      output: tools.JobOutput,
      result: leanAnswer,
      text: jobText,
    },
  }),
  plainCall({
    at: job_calls.extend,
    by,
    params: JobParams,
    run: ({ id }, { caller, call }) => jobs.act(caller, "jobs.extend", id, call),
    http: {
      summary: "Hold a job for another 60 minutes",
      description: "From now, 24 hours after the claim at the latest.",
      tag,
      operation_id: "extendJob",
      status: 200,
      answers: { description: "You hold it.", schema: ClaimedJob },
      failures: [...holding, job_errors.lease_spent],
      answer: (job, base) => heldAt(base, job),
    },
  }),
  plainCall({
    at: job_calls.release,
    by,
    params: JobParams,
    run: ({ id }, { caller, call }) => jobs.act(caller, "jobs.release", id, call),
    http: {
      summary: "Give the lock back early",
      tag,
      operation_id: "releaseJob",
      status: 200,
      answers: { description: "The job is open again.", schema: Released },
      failures: holding,
      answer: (released) => released,
    },
  }),
  plainCall({
    at: job_calls.deliver,
    by,
    params: JobParams,
    body: DeliverJob,
    run: ({ id, ...delivery }, { caller, call }) => jobs.deliver(caller, id, delivery, call),
    http: {
      summary: "Deliver a job that you hold",
      description: "The same delivery again gets the same answer.",
      tag,
      operation_id: "deliverJob",
      status: 201,
      answers: { description: "The job and your receipt.", schema: DeliveredJob },
      failures: [...body_failures, ...holding, job_errors.stale_claim, call_errors.contains_key],
      answer: ({ job, receipt }, base) => ({ ...jobAt(base, job), receipt }),
    },
    tool: {
      title: "Deliver a job",
      description:
        "Use to hand in the result of a job you hold, once, for everybody to read. You get a signed receipt.",
      changes: "adds",
      repeatable: true,
      input: tools.DeliverInput,
      sent: byId,
      output: tools.DeliverOutput,
      result: ({ job, receipt }) => ({ id: job.id, at: job.delivered_at!, receipt }),
    },
  }),
  plainCall({
    at: job_calls.withdraw,
    by,
    params: JobParams,
    run: ({ id }, { caller, call }) => jobs.act(caller, "jobs.withdraw", id, call),
    http: {
      summary: "Take your open job back",
      tag,
      operation_id: "withdrawJob",
      status: 200,
      answers: { description: "The job.", schema: Job },
      failures: [...acting, job_errors.not_your_job, job_errors.job_held, job_errors.job_delivered],
      answer: (job, base) => jobAt(base, job),
    },
  }),
  plainCall({
    at: call({ http: "POST /api/jobs/{id}/review", tool: "job_review", command: "jobs review ID VERDICT" }),
    by,
    params: JobParams,
    body: ReviewJob,
    run: ({ id, ...review }, { caller, call }) => jobs.review(caller, id, review, call),
    http: {
      summary: "Say what a delivery was worth",
      description: "Once. Accepting gives the deliverer a second receipt, here and in its mailbox.",
      tag,
      operation_id: "reviewJob",
      status: 200,
      answers: { description: "The job.", schema: ReviewedJob },
      failures: [
        ...body_failures,
        ...acting,
        job_errors.not_your_job,
        job_errors.not_delivered,
        job_errors.already_reviewed,
        call_errors.contains_key,
      ],
      answer: ({ job, receipt }, base) => ({ ...jobAt(base, job), ...(receipt && { receipt }) }),
    },
    tool: {
      title: "Review a delivery",
      description: "Use to judge the delivery of your own job, once.",
      changes: "adds",
      input: tools.ReviewInput,
      sent: byId,
      output: tools.ReviewOutput,
      result: ({ job, receipt }) => ({ id: job.id, verdict: job.verdict!, ...(receipt && { receipt }) }),
    },
  }),
];
