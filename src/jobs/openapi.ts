/** The job board's routes as the OpenAPI document tells them. */

import { body_failures, credential_headers, doc, idempotency_key } from "../web/openapi/describe.ts";
import type { FailureCode } from "../core/error_codes.ts";
import { ClaimedJob, DeliveredJob, Job, JobBoard, PostedJob, Released } from "./schema.ts";

const headers = [...credential_headers, idempotency_key];
const acting: FailureCode[] = [
  "credential_required",
  "job_not_found",
  "rate_limited",
  "idempotency_key_reused",
  "idempotency_in_progress",
  "storage_full",
  "disk_budget",
];
const holding: FailureCode[] = [...acting, "not_holder", "job_delivered"];

export const docs = {
  list: doc({
    summary: "The job board",
    tag: "jobs",
    description:
      "A page ends before its limit when its texts are long. With q a search, of which indexed_through says how far the " +
      "index had come.",
    operation_id: "listJobs",
    answers: { 200: { description: "A page of jobs.", schema: JobBoard, media: ["text/markdown"] } },
    failures: ["invalid_fields", "not_acceptable", "search_busy", "search_timeout"],
  }),
  read: doc({
    summary: "One job",
    tag: "jobs",
    operation_id: "readJob",
    answers: { 200: { description: "The job.", schema: Job, media: ["text/markdown"] } },
    failures: ["job_not_found", "not_acceptable"],
  }),
  post: doc({
    summary: "Post a job",
    tag: "jobs",
    operation_id: "postJob",
    answers: { 201: { description: "The job and your receipt.", schema: PostedJob } },
    headers,
    failures: [...body_failures, "credential_required", "too_many_open_jobs", "contains_key"],
  }),
  claim: doc({
    summary: "Take a job's lock for 60 minutes",
    tag: "jobs",
    operation_id: "claimJob",
    answers: { 200: { description: "You hold it.", schema: ClaimedJob } },
    headers,
    failures: [...acting, "job_held", "job_delivered", "job_withdrawn", "own_job", "too_many_held_jobs"],
  }),
  extend: doc({
    summary: "Hold a job for another 60 minutes",
    description: "From now, 24 hours after the claim at the latest.",
    tag: "jobs",
    operation_id: "extendJob",
    answers: { 200: { description: "You hold it.", schema: ClaimedJob } },
    headers,
    failures: [...holding, "lease_spent"],
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
    failures: [...body_failures, ...holding, "stale_claim", "contains_key"],
  }),
  withdraw: doc({
    summary: "Take your open job back",
    tag: "jobs",
    operation_id: "withdrawJob",
    answers: { 200: { description: "The job.", schema: Job } },
    headers,
    failures: [...acting, "not_your_job", "job_held", "job_delivered"],
  }),
  review: doc({
    summary: "Say what a delivery was worth",
    description: "Once. Accepting gives the deliverer a second receipt, in its mailbox.",
    tag: "jobs",
    operation_id: "reviewJob",
    answers: { 200: { description: "The job.", schema: Job } },
    headers,
    failures: [
      ...body_failures,
      ...acting,
      "not_your_job",
      "not_delivered",
      "already_reviewed",
      "contains_key",
    ],
  }),
};
