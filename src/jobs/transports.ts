/** How callers reach jobs: routes, pages, tools and documents. */

import type { ClaimedName, Feature } from "../discovery/feature.ts";
import { jobsAdminHttp } from "./admin_routes.ts";
import { callRoutes, callTools } from "../mcp/plain_call.ts";
import { jobCalls } from "./calls.ts";
import { job_documents } from "./discovery.ts";
import type { Jobs } from "./jobs.ts";
import { jobTools, updateTools } from "./mcp/tools.ts";
import { myJobsPages } from "./my_pages.ts";
import { open_jobs_changed } from "./open_jobs.ts";
import { jobsPages } from "./pages.ts";
import { boardAt, type JobRecord } from "./representations.ts";
import { jobsHttp } from "./routes.ts";
import type { Activity, News } from "../api/pages.ts";

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

const jobs_on_name_page = 10;

async function activityOf(jobs: Jobs, { name, canonical }: ClaimedName): Promise<Activity[]> {
  const { posted, delivered } = await jobs.ofName(canonical, jobs_on_name_page);
  const part = (title: string, shown: JobRecord[], filter: string): Activity => ({
    title,
    // The operator erased the texts of the others.
    items: shown.filter(({ redacted }) => redacted === null).map(itemOf),
    empty: "None yet.",
    more: shown.length < jobs_on_name_page ? null : { path: `/jobs?${filter}=${encodeURIComponent(name)}` },
  });
  return [part("Jobs posted", posted, "by"), part("Jobs delivered", delivered, "delivered_by")];
}

const itemOf = ({ id, title, state, verdict, delivered_at, created }: JobRecord) => ({
  title,
  path: `/jobs/${id}`,
  at: delivered_at ?? created,
  about: [verdict ?? state],
});

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
