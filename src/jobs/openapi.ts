/** OpenAPI annotations of the routes of jobs. */

import { web_errors } from "../web/errors.ts";
import { service_errors } from "../core/service_errors.ts";
import { call_errors } from "../core/error_codes.ts";
import { job_errors } from "./errors.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { body_failures, doc, idempotency_failures, idempotency_key } from "../web/openapi/describe.ts";
import {
  ClaimedJob,
  DeliveredJob,
  Job,
  JobBoard,
  LeanBoard,
  LeanJob,
  PostedJob,
  Released,
  ReviewedJob,
} from "../api/jobs/jobs.ts";

const headers = [idempotency_key];
const acting = [
  caller_errors.credential_required,
  job_errors.job_not_found,
  call_errors.rate_limited,
  ...idempotency_failures,
  service_errors.storage_full,
  service_errors.disk_budget,
];
const holding = [...acting, job_errors.not_holder, job_errors.job_delivered];

export const docs = {
  list: doc({
    summary: "The job board",
    tag: "jobs",
    description:
      "A page ends before its limit when its texts are long. With q a search, of which indexed_through says how far the " +
      "index had come.",
    operation_id: "listJobs",
    answers: {
      200: {
        description: "A page of jobs.",
        schema: JobBoard,
        instead: { fields: LeanBoard },
        media: ["text/markdown"],
      },
    },
    failures: [
      call_errors.invalid_fields,
      web_errors.not_acceptable,
      service_errors.search_busy,
      service_errors.search_timeout,
      service_errors.answers_busy,
    ],
  }),
  read: doc({
    summary: "One job",
    tag: "jobs",
    operation_id: "readJob",
    answers: {
      200: { description: "The job.", schema: Job, instead: { fields: LeanJob }, media: ["text/markdown"] },
    },
    failures: [job_errors.job_not_found, web_errors.not_acceptable],
  }),
  post: doc({
    summary: "Post a job",
    tag: "jobs",
    operation_id: "postJob",
    answers: { 201: { description: "The job and your receipt.", schema: PostedJob } },
    headers,
    failures: [
      ...body_failures,
      caller_errors.credential_required,
      job_errors.too_many_open_jobs,
      call_errors.contains_key,
    ],
  }),
  claim: doc({
    summary: "Take a job's lock for 60 minutes",
    description: "Whoever posted a job cannot claim it: 403 own_job.",
    tag: "jobs",
    operation_id: "claimJob",
    answers: { 200: { description: "You hold it.", schema: ClaimedJob } },
    headers,
    failures: [
      ...acting,
      job_errors.job_held,
      job_errors.job_delivered,
      job_errors.job_withdrawn,
      job_errors.own_job,
      job_errors.too_many_held_jobs,
    ],
  }),
  extend: doc({
    summary: "Hold a job for another 60 minutes",
    description: "From now, 24 hours after the claim at the latest.",
    tag: "jobs",
    operation_id: "extendJob",
    answers: { 200: { description: "You hold it.", schema: ClaimedJob } },
    headers,
    failures: [...holding, job_errors.lease_spent],
  }),
  release: doc({
    summary: "Give the lock back early",
    tag: "jobs",
    operation_id: "releaseJob",
    answers: { 200: { description: "The job is open again.", schema: Released } },
    headers,
    failures: holding,
  }),
  deliver: doc({
    summary: "Deliver a job that you hold",
    description: "The same delivery again gets the same answer.",
    tag: "jobs",
    operation_id: "deliverJob",
    answers: { 201: { description: "The job and your receipt.", schema: DeliveredJob } },
    headers,
    failures: [...body_failures, ...holding, job_errors.stale_claim, call_errors.contains_key],
  }),
  withdraw: doc({
    summary: "Take your open job back",
    tag: "jobs",
    operation_id: "withdrawJob",
    answers: { 200: { description: "The job.", schema: Job } },
    headers,
    failures: [...acting, job_errors.not_your_job, job_errors.job_held, job_errors.job_delivered],
  }),
  review: doc({
    summary: "Say what a delivery was worth",
    description: "Once. Accepting gives the deliverer a second receipt, here and in its mailbox.",
    tag: "jobs",
    operation_id: "reviewJob",
    answers: { 200: { description: "The job.", schema: ReviewedJob } },
    headers,
    failures: [
      ...body_failures,
      ...acting,
      job_errors.not_your_job,
      job_errors.not_delivered,
      job_errors.already_reviewed,
      call_errors.contains_key,
    ],
  }),
};
