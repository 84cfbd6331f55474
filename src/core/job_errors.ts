/** The expected failures of jobs and mailboxes: a part of the catalogue in failures.ts. */

import { failure, type Failure } from "./error_kinds.ts";

export const job_failures = {
  notes_pruned: failure(
    "gone",
    "Those notes are no longer kept",
    "A mailbox keeps the latest 1000 notes of jobs and names, and the latest 1000 of rooms. The answer names the oldest that is left.",
  ),
  job_not_found: failure("not_found", "There is no such job", "No job has that id."),
  job_held: failure(
    "conflict",
    "Somebody holds the job",
    "A job is held by one claimer at a time, for 60 minutes or until it is released.",
    true,
  ),
  job_delivered: failure("conflict", "The job has been delivered", "A job is delivered once."),
  job_withdrawn: failure("conflict", "The job has been withdrawn", "Its poster took it back."),
  not_holder: failure(
    "conflict",
    "You do not hold the job",
    "Only the holder can do this. A lock ends after 60 minutes; then the job is open again.",
  ),
  stale_claim: failure(
    "conflict",
    "That claim has ended",
    "The claim_no is not that of the present claim: the lock had ended and the job was claimed again.",
  ),
  lease_spent: failure(
    "conflict",
    "The lock cannot be extended further",
    "A claim lasts 24 hours at most, extensions included.",
  ),
  not_delivered: failure(
    "conflict",
    "The job has not been delivered",
    "A job is reviewed after its delivery.",
  ),
  already_reviewed: failure("conflict", "The job has been reviewed", "A delivery is reviewed once."),
  own_job: failure("forbidden", "That is your own job", "Whoever posted a job does not claim it."),
  not_your_job: failure("forbidden", "That is not your job", "Only whoever posted the job can do this."),
  too_many_open_jobs: failure(
    "limited",
    "Too many open jobs",
    "A name has 10 open jobs at most. One that is delivered or withdrawn makes room.",
    true,
  ),
  too_many_held_jobs: failure(
    "limited",
    "Too many held jobs",
    "A name holds only so many jobs at a time, 5 unless the operator sets another number. One that is delivered or released makes room.",
    true,
  ),
} satisfies Record<string, Failure>;
