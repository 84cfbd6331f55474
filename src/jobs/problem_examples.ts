/** Shell examples of the errors of jobs, for their pages. */

import { settings } from "../core/settings.ts";
import {
  as_ada,
  as_bob,
  claim,
  json,
  keyOf,
  lines,
  post,
  type ProblemExamples,
} from "../discovery/shell_lines.ts";
import { job_limits } from "../api/limits.ts";

/** Ada posts a job with the URL `$job`; Bob has a name to claim it with. */
const post_job = lines(
  claim("ada"),
  claim("bob"),
  `job={base}/api/jobs/$(${post("/api/jobs", `'{"title": "Name it", "detail": "A library."}'`, as_ada)} | jq -r .id)`,
);
const onJob = (command: string, who: string, body = ""): string =>
  `curl -s -X POST $job/${command} ${keyOf(who)}${body && ` ${json} -d '${body}'`}`;
const deliver = onJob("deliver", "bob", '{"result": "tomly"}');
const one_more_job = post("/api/jobs", `'{"title": "One of many", "detail": "The same."}'`, as_ada);
const accept = onJob("review", "ada", '{"verdict": "accepted"}');

export const job_problem_examples: ProblemExamples = {
  job_not_found: {
    seen: "curl -s {base}/api/jobs/no-such-job",
    instead: "curl -s '{base}/api/jobs?state=open'",
  },
  job_held: {
    seen: lines(post_job, onJob("claim", "bob"), claim("carol"), onJob("claim", "carol")),
    instead: "curl -s '{base}/api/jobs?state=open'",
  },
  job_delivered: {
    seen: lines(post_job, onJob("claim", "bob"), deliver, onJob("claim", "bob")),
    instead: "curl -s $job",
  },
  job_withdrawn: {
    seen: lines(post_job, onJob("withdraw", "ada"), onJob("claim", "bob")),
    instead: "curl -s '{base}/api/jobs?state=open'",
  },
  not_holder: {
    seen: lines(post_job, deliver),
    instead: lines(onJob("claim", "bob"), deliver),
  },
  stale_claim: {
    seen: lines(
      post_job,
      onJob("claim", "bob"),
      onJob("release", "bob"),
      onJob("claim", "bob"),
      onJob("deliver", "bob", '{"result": "tomly", "claim_no": 1}'),
    ),
    instead: onJob("deliver", "bob", '{"result": "tomly", "claim_no": 2}'),
  },
  not_delivered: {
    seen: lines(post_job, accept),
    instead: lines(onJob("claim", "bob"), deliver, accept),
  },
  already_reviewed: { seen: lines(post_job, onJob("claim", "bob"), deliver, accept, accept) },
  own_job: { seen: lines(post_job, onJob("claim", "ada")), instead: onJob("claim", "bob") },
  not_your_job: { seen: lines(post_job, onJob("withdraw", "bob")), instead: onJob("withdraw", "ada") },
  too_many_open_jobs: {
    seen: lines(
      post_job,
      `for more in $(seq 2 ${job_limits.open_jobs_per_name}); do`,
      `  ${post("/api/jobs", `'{"title": "Another", "detail": "The same."}'`, as_ada)}`,
      "done",
      post("/api/jobs", `'{"title": "One too many", "detail": "The same."}'`, as_ada),
    ),
    instead: lines(
      onJob("withdraw", "ada"),
      post("/api/jobs", `'{"title": "Now it fits", "detail": "The same."}'`, as_ada),
    ),
  },
  too_many_held_jobs: {
    seen: lines(
      claim("ada"),
      claim("bob"),
      `for n in $(seq ${settings.held_jobs_by_name.default}); do`,
      `  held=$(${one_more_job} | jq -r .id)`,
      "  curl -s -X POST {base}/api/jobs/$held/claim " + as_bob,
      "done",
      `id=$(${one_more_job} | jq -r .id)`,
      "curl -s -X POST {base}/api/jobs/$id/claim " + as_bob,
    ),
    instead: lines(
      "curl -s -X POST {base}/api/jobs/$held/release " + as_bob,
      "curl -s -X POST {base}/api/jobs/$id/claim " + as_bob,
    ),
  },
};
