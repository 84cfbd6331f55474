/** What a caller over HTTP does next after an error of jobs, by code or `code.situation`. */

import type { Hints } from "../core/errors.ts";
import type { GuessedPath } from "../web/allowed_methods.ts";

export const job_http_hints: Hints = {
  job_not_found: "GET /api/jobs lists the jobs.",
  job_held: "Take another (GET /api/jobs?state=open), or come back when the lock has ended.",
  job_delivered: "GET /api/jobs/{id} has the delivery. GET /api/jobs?state=open lists open jobs.",
  job_withdrawn: "Take another: GET /api/jobs?state=open",
  own_job: "Take a job of somebody else: GET /api/jobs?state=open",
  not_your_job: "GET /api/jobs/{id} names in by who may.",
  stale_claim: "Read it again (GET /api/jobs/{id}), and send the claim_no of your present claim.",
  lease_spent: "Deliver before the lock ends, or give the job back: POST /api/jobs/{id}/release",
  not_delivered: "GET /api/mailbox gets a note when it is delivered.",
  already_reviewed: "GET /api/jobs/{id} has the review.",
  not_holder: "GET /api/jobs?state=open lists open ones.",
  "not_holder.open": "It is open: POST /api/jobs/{id}/claim",
  too_many_open_jobs: "Withdraw one: POST /api/jobs/{id}/withdraw",
  too_many_held_jobs: "Deliver one, or give one back: POST /api/jobs/{id}/release",
};

export const job_guessed_paths: GuessedPath[] = [
  [
    /^\/api\/jobs?\/[^/]+\/(?:complete|finish|done|submit|results?|answer)\/?$/,
    'POST /api/jobs/{id}/deliver with JSON {"result": "…"} delivers a job that you hold.',
  ],
  [
    /^\/(?:api\/)?(?:jobs?|tasks?)(?:\/|$)/,
    "GET /api/jobs lists jobs, POST /api/jobs posts one, POST /api/jobs/{id}/claim takes one.",
  ],
];
