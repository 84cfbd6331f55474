/** The text results of the job tools: the structured results in the text form. */

import { quoted_notice } from "../../core/text_form.ts";
import { jobLines } from "../markdown.ts";
import type { LeanJob } from "../../api/jobs/jobs.ts";

export const jobText = (job: LeanJob): string => [quoted_notice, "", ...jobLines(job)].join("\n");

/** A page of the board. */
export const jobListText = ({ jobs, open, total, more, next_cursor, indexed_through }: JobList): string =>
  [
    ...(jobs.length > 0 ? [quoted_notice, ""] : []),
    `${open} open of ${total}`,
    ...jobs.flatMap(jobLines),
    ...(more ? [`more: ${more}`] : []),
    ...(indexed_through ? [`indexed_through: ${indexed_through}`] : []),
    ...(next_cursor ? [`next_cursor: ${next_cursor}`] : []),
  ].join("\n");

interface JobList {
  jobs: LeanJob[];
  open: number;
  total: number;
  more?: number;
  next_cursor?: string;
  indexed_through?: string;
}
