/** Paths that callers guess for the calls of jobs, and what to call instead. */

import type { GuessedPath } from "../web/allowed_methods.ts";

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
