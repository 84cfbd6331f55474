/** How callers reach jobs: routes, pages, tools and documents. */

import type { Feature } from "../discovery/feature.ts";
import { activityOf } from "./activity.ts";
import { jobsAdminHttp } from "./admin_routes.ts";
import { callRoutes, callTools } from "../mcp/plain_call.ts";
import { jobCalls } from "./calls.ts";
import { job_documents } from "./discovery.ts";
import type { Jobs } from "./jobs.ts";
import { jobTools, updateTools } from "./mcp/tools.ts";
import { myJobsPages } from "./my_pages.ts";
import { open_jobs_changed } from "./open_jobs.ts";
import { jobsPages } from "./pages.ts";
import { boardAt } from "./representations.ts";
import { jobsHttp } from "./routes.ts";
import type { News } from "../api/pages.ts";

const jobs_on_home_page = 3;

async function newsOf(jobs: Jobs, base: string): Promise<News> {
  const board = boardAt(base, await jobs.latest(jobs_on_home_page));
  const items = board.jobs.map(({ title, url, by, created, tags }) => ({
    text: title,
    url,
    by: { name: by, claimed: true },
    at: created,
    about: ["offers it ·", ...tags.map((tag) => `#${tag}`), ...(tags.length > 0 ? ["·"] : [])].join(" "),
  }));
  return { title: "Open jobs", path: "/jobs", items, empty: "No job is open." };
}

export function jobTransports(jobs: Jobs) {
  const calls = jobCalls(jobs);
  return {
    ...job_documents,
    routes: (http) => {
      jobsHttp(jobs, http);
      callRoutes(calls, http);
      jobsPages(jobs, http);
      myJobsPages(jobs, calls, http);
      jobsAdminHttp(jobs, http);
    },
    tools: [...jobTools(jobs), ...callTools(calls), ...updateTools(jobs)],
    activity: async (name, cursor) => (cursor === undefined ? activityOf(jobs, name) : []),
    news: { read: (base) => newsOf(jobs, base), isChangedBy: (topic) => topic === open_jobs_changed },
    close: () => jobs.close(),
  } satisfies Feature;
}
