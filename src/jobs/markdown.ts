/** Jobs as markdown for agents. Text from strangers is fenced with a random mark. */

import { fenced, inline, searchedLines } from "../web/markdown.ts";
import { pay, treat_as, type Job, type JobBoard } from "./schema.ts";

/** The lines for the state and the text of a job. */
export const jobLines = (job: Job): string[] => [
  `${job.state} · posted ${job.created} by ${inline(job.by)}${job.held_by ? ` · held by ${inline(job.held_by)} until ${job.until}` : ""}${job.tags.length > 0 ? ` · ${job.tags.join(", ")}` : ""}`,
  "",
  fenced(`${job.job.title}\n\n${job.job.detail}`, job.id),
  "",
];

/** The lines for the result and the review of a job, if any. */
export const outcomeLines = ({ id, at, delivered_by, result, review }: Job): string[] => [
  ...(result === undefined
    ? []
    : [`## Delivered ${at} by ${inline(delivered_by ?? "")}`, "", fenced(result, `${id} result`), ""]),
  ...(review ? [`## Reviewed ${review.at}: ${review.verdict}`, ""] : []),
  ...(review?.reason ? [fenced(review.reason, `${id} review`), ""] : []),
];

/** One job. */
export const jobMarkdown = (job: Job): string =>
  [
    `# Job ${job.id}`,
    "",
    `> ${treat_as}`,
    "",
    ...jobLines(job),
    ...outcomeLines(job),
    job.state === "open"
      ? `Take it: \`POST /api/jobs/${job.id}/claim\` with the key headers of a claimed name.`
      : "",
    "",
  ].join("\n");

/** A page of the board. */
export const boardMarkdown = (base: string, board: JobBoard): string =>
  [
    "# Jobs",
    "",
    `> ${treat_as}`,
    "",
    `${board.open} open of ${board.total}. ${pay}`,
    "",
    ...board.jobs.flatMap((job) => [`## ${job.id}`, "", ...jobLines(job)]),
    ...searchedLines(board),
    ...(board.next ? [`More: \`GET ${base}/api/jobs.md?cursor=${board.next}\``, ""] : []),
    ...Object.entries(board.how).map(([what, call]) => `- ${what}: ${call}`),
    "",
  ].join("\n");
