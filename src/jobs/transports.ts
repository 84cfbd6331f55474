/** How callers reach jobs: routes, pages, tools and documents. */

import type { Feature } from "../discovery/feature.ts";
import { jobsAdminHttp } from "./admin_routes.ts";
import { job_documents } from "./discovery.ts";
import { job_guessed_paths, job_http_hints } from "./http_hints.ts";
import type { Jobs } from "./jobs.ts";
import { jobTools } from "./mcp/tools.ts";
import { jobsPages } from "./pages.ts";
import { jobsHttp } from "./routes.ts";

export const jobTransports = (jobs: Jobs) =>
  ({
    ...job_documents,
    http_hints: job_http_hints,
    guessed_paths: job_guessed_paths,
    routes: (http) => [jobsHttp(jobs, http), jobsPages(jobs, http), jobsAdminHttp(jobs, http)],
    tools: jobTools(jobs),
    close: () => jobs.close(),
  }) satisfies Feature;
