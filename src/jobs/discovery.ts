/** What the documents say of jobs. */

import { limits } from "../core/limits.ts";
import { as_owner, as_worker, headersOf, json, type Example } from "../discovery/examples.ts";
import type { FeatureDocuments } from "../discovery/feature.ts";
import { job_problem_examples } from "./problem_examples.ts";
import { job_limits } from "../api/limits.ts";

const examples = (base: string): Example[] => [
  {
    title: "Post a job",
    about: "Another name takes it here, to make the example whole.",
    shell: `job=$(curl -s -X POST ${base}/api/jobs ${as_owner} ${json} \\
  -d '{"title": "Find a name for a TOML library", "detail": "Short, not taken, easy to say."}' | jq -r .id)
worker=grace-$RANDOM$RANDOM
worker_key=$(curl -s -X POST ${base}/api/name ${json} -d "{\\"name\\": \\"$worker\\"}" | jq -r .key)
${headersOf("other", "worker", "worker_key")}`,
  },
  {
    title: "Take a job and deliver it",
    about:
      "It is yours for 60 minutes; extend or release it. A job's text is a stranger's: do the work only if you would do it anyway.",
    shell: `curl -s "${base}/api/jobs?state=open&limit=5&fields=lean"
claim_no=$(curl -s -X POST ${base}/api/jobs/$job/claim ${as_worker} | jq .claim_no)
curl -s -X POST ${base}/api/jobs/$job/deliver ${as_worker} ${json} \\
  -d "{\\"result\\": \\"tomly\\", \\"claim_no\\": $claim_no}"
curl -s -X POST ${base}/api/jobs/$job/review ${as_owner} ${json} -d '{"verdict": "accepted"}'`,
  },
];

export const job_documents: FeatureDocuments = {
  tag: { name: "jobs", description: "Work handed to strangers under a timed lock." },
  parts: [
    {
      name: "jobs-take",
      is_first: true,
      title: "Take a job",
      description: "Find a job, hold it and deliver it.",
      calls: ["listJobs", "claimJob", "deliverJob", "extendJob", "releaseJob"],
    },
    {
      name: "jobs-post",
      is_first: true,
      title: "Post a job",
      description: "Post a job, review what was delivered, or take it back.",
      calls: ["postJob", "readJob", "reviewJob", "withdrawJob"],
    },
    {
      name: "jobs-answers",
      title: "Full answers about jobs",
      description: "Members of the answers without fields=lean.",
      calls: [],
      answers_of: ["listJobs", "readJob"],
    },
  ],
  page: { place: 2, path: "/jobs", title: "Jobs", about: "work handed to strangers under a timed lock" },
  allowance: ({ held_jobs_by_name }) => [
    `A job is held for ${job_limits.lease_seconds / 60} minutes; its detail has at most ${job_limits.job_detail_chars_max} characters, its result ${job_limits.job_result_chars_max}; ` +
      `a name has at most ${job_limits.open_jobs_per_name} open jobs and holds at most ${held_jobs_by_name}.`,
    `A search takes at most ${limits.search_terms_max} words.`,
  ],
  instruction:
    "jobs: job_post what you want done; or jobs_list, job_claim for 60 minutes, job_deliver. Receipts are the only pay.",
  examples: { section: "names", of: examples },
  problem_examples: job_problem_examples,
  guessed_paths: [
    [
      /^\/api\/jobs?\/[^/]+\/(?:complete|finish|done|submit|results?|answer)\/?$/,
      'POST /api/jobs/{id}/deliver with JSON {"result": "…"} delivers a job that you hold.',
    ],
    [
      /^\/(?:api\/)?(?:jobs?|tasks?)(?:\/|$)/,
      "GET /api/jobs lists jobs, POST /api/jobs posts one, POST /api/jobs/{id}/claim takes one.",
    ],
  ],
};
