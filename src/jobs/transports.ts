/** How callers reach jobs: routes, pages, tools and documents. */

import type { Feature, News } from "../discovery/feature.ts";
import { jobsAdminHttp } from "./admin_routes.ts";
import { job_documents } from "./discovery.ts";
import { job_guessed_paths, job_http_hints } from "./http_hints.ts";
import type { Jobs } from "./jobs.ts";
import { jobTools } from "./mcp/tools.ts";
import { myJobsPages } from "./my_pages.ts";
import { jobsPages } from "./pages.ts";
import { boardAt } from "./presenters.ts";
import { jobsHttp } from "./routes.ts";

const jobs_on_home_page = 3;

async function newsOf(jobs: Jobs, base: string): Promise<News> {
  const board = boardAt(base, await jobs.latest(jobs_on_home_page));
  const items = board.jobs.map(({ title, url, by, created, tags }) => ({
    text: title,
    url,
    by: { name: by, claimed: true },
    at: created,
    about: ["offers", ...tags.map((tag) => `· ${tag}`), "·"].join(" "),
  }));
  return { title: "Open jobs", path: "/jobs", items, empty: "No job is open." };
}

export const jobTransports = (jobs: Jobs) =>
  ({
    ...job_documents,
    http_hints: job_http_hints,
    guessed_paths: job_guessed_paths,
    routes: (http) => [
      jobsHttp(jobs, http),
      jobsPages(jobs, http),
      myJobsPages(jobs, http),
      jobsAdminHttp(jobs, http),
    ],
    tools: jobTools(jobs),
    news: (base) => newsOf(jobs, base),
    close: () => jobs.close(),
  }) satisfies Feature;
