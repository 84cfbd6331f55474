/** The text results of the job tools: the structured results as text, with strangers' texts fenced. */

import { jobLines, outcomeLines } from "../markdown.ts";
import { pay, treat_as, type Job } from "../schema.ts";

const lines = (job: Job): string[] => [
  `## Job ${job.id}`,
  "",
  ...jobLines(job),
  `claim_no: ${job.claim_no}`,
  `Page: ${job.url}`,
  "",
  ...outcomeLines(job),
];

const text = (...lines: string[]): string => [`> ${treat_as}`, "", ...lines].join("\n");

/** A job, the lines `more`, and the next call. */
export const jobText = (job: Job, next: string, ...more: string[]): string =>
  text(...lines(job), ...more, `Next: ${next}`);

export const holdLine = (until: string): string => `You hold it until ${until}`;

export const jobListText = (
  page: { jobs: Job[]; open: number; total: number; indexed_through?: string; next_cursor?: string },
  next: string,
): string =>
  text(
    `${page.jobs.length} jobs here; ${page.open} open of ${page.total} in all. ${pay}`,
    "",
    ...page.jobs.flatMap(lines),
    ...(page.indexed_through ? [`indexed_through: ${page.indexed_through}`] : []),
    ...(page.next_cursor ? [`next_cursor: ${page.next_cursor}`] : []),
    `Next: ${next}`,
  );
