/** The jobs of a claimed name, as pages show them. */

import type { ClaimedName } from "../discovery/feature.ts";
import type { Activity } from "../api/pages.ts";
import type { Caller } from "../core/caller.ts";
import type { JobFilter } from "./filter.ts";
import type { Jobs } from "./jobs.ts";
import type { JobRecord } from "./representations.ts";

const jobs_on_name_page = 10;

export async function activityOf(jobs: Jobs, { name, canonical }: ClaimedName): Promise<Activity[]> {
  const { posted, delivered } = await jobs.ofName(canonical, jobs_on_name_page);
  const part = (title: string, shown: JobRecord[], filter: string): Activity => ({
    title,
    // The operator erased the texts of the others.
    items: shown.filter(({ redacted }) => redacted === null).map(itemOf),
    empty: "None yet.",
    more: shown.length < jobs_on_name_page ? null : { path: `/jobs?${filter}=${encodeURIComponent(name)}` },
  });
  return [part("Jobs offered", posted, "by"), part("Jobs delivered", delivered, "delivered_by")];
}

const itemOf = ({ id, title, state, verdict, delivered_at, created }: JobRecord) => ({
  title,
  path: `/jobs/${id}`,
  at: delivered_at ?? created,
  about: [verdict ?? state],
});

/** At most so many jobs in a part of the page of the name that is signed in. */
const own_jobs_max = 5;
/** Among so many of its delivered jobs those are found that it has to review. */
const reviewed_looked_at = 20;

/** The jobs that wait for the caller: those that it holds, and those that it has to review. Parts without a job are missing. */
export async function ownJobs(jobs: Jobs, caller: Caller): Promise<Activity[]> {
  const { name } = caller.identity!;
  const newest = async (filter: JobFilter, limit: number) =>
    (await jobs.list(caller, { filter, limit, oldest_first: false })).jobs;
  const held = await newest({ held_by: name }, own_jobs_max);
  const delivered = await newest({ by: name, state: "delivered" }, reviewed_looked_at);
  const to_review = delivered.filter(({ verdict }) => verdict === null).slice(0, own_jobs_max);
  const part = (title: string, items: Activity["items"]): Activity[] =>
    items.length === 0 ? [] : [{ title, items, empty: "", more: { path: "/me/jobs" } }];
  const own = ({ title, id }: JobRecord) => ({ title, path: `/me/jobs/${id}` });
  return [
    ...part(
      "Jobs that you hold",
      held.map((job) => ({ ...own(job), at: job.lease_expires_at!, about: ["its claim ends"] })),
    ),
    ...part(
      "Jobs to review",
      to_review.map((job) => ({ ...own(job), at: job.delivered_at!, about: [`delivered by ${job.holder}`] })),
    ),
  ];
}
