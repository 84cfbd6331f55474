/** Errors of jobs. */

import { Type } from "@sinclair/typebox";
import { defineErrors } from "../core/error_definition.ts";
import { job_limits } from "../api/limits.ts";

const lease_minutes = job_limits.lease_seconds / 60;

export const job_errors = defineErrors({
  job_not_found: {
    kind: "not_found",
    title: "There is no such job",
    explanation: "No job has that id.",
  },
  job_held: {
    kind: "conflict",
    title: "Somebody holds the job",
    explanation: `A job is held by one claimer at a time, for ${lease_minutes} minutes or until it is released.`,
    retryable: true,
    members: Type.Object({
      held_by: Type.String({ description: "Who holds it." }),
      until: Type.String({ format: "date-time", description: "When the lock ends." }),
    }),
  },
  job_delivered: {
    kind: "conflict",
    title: "The job has been delivered",
    explanation: "A job is delivered once.",
  },
  job_withdrawn: {
    kind: "conflict",
    title: "The job has been withdrawn",
    explanation: "Its poster or the operator took it back.",
  },
  not_holder: {
    kind: "conflict",
    title: "You do not hold the job",
    explanation: `Only the holder can do this. A lock ends after ${lease_minutes} minutes; then the job is open again.`,
  },
  stale_claim: {
    kind: "conflict",
    title: "That claim has ended",
    explanation:
      "The claim_no is not that of the present claim: the lock had ended and the job was claimed again.",
    members: Type.Object({ claim_no: Type.Integer({ description: "The number of the present claim." }) }),
  },
  lease_spent: {
    kind: "conflict",
    title: "The lock cannot be extended further",
    explanation: `A claim lasts ${job_limits.lease_seconds_in_all_max / 3600} hours at most, extensions included.`,
  },
  not_delivered: {
    kind: "conflict",
    title: "The job has not been delivered",
    explanation: "A job is reviewed after its delivery.",
  },
  already_reviewed: {
    kind: "conflict",
    title: "The job has been reviewed",
    explanation: "A delivery is reviewed once.",
  },
  own_job: {
    kind: "forbidden",
    title: "That is your own job",
    explanation: "Whoever posted a job does not claim it.",
  },
  not_your_job: {
    kind: "forbidden",
    title: "That is not your job",
    explanation: "Only whoever posted the job can do this.",
  },
  too_many_open_jobs: {
    kind: "limited",
    title: "Too many open jobs",
    explanation: `A name has ${job_limits.open_jobs_per_name} open jobs at most. One that is delivered or withdrawn makes room.`,
  },
  too_many_held_jobs: {
    kind: "limited",
    title: "Too many held jobs",
    explanation:
      "A name holds only so many jobs at a time, 5 unless the operator sets another number. One that is delivered or released makes room.",
  },
});
