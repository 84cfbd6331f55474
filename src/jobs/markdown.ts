/** Jobs as markdown for agents: what strangers wrote stands in a fence that they could not have foreseen. */

import { fenced, inline } from "../web/markdown.ts";
import { pay, treat_as, type Job, type JobBoard } from "./schema.ts";

const lines = (job: Job): string[] => [
  `${job.state} · posted ${job.created} by ${inline(job.by)}${job.held_by ? ` · held by ${inline(job.held_by)} until ${job.until}` : ""}${job.tags.length > 0 ? ` · ${job.tags.join(", ")}` : ""}`,
  "",
  fenced(`${job.job.title}\n\n${job.job.detail}`, job.id),
  "",
];

/** One job. */
export function jobMarkdown(job: Job): string {
  const result = [
    `## Delivered ${job.at} by ${inline(job.delivered_by ?? "")}`,
    "",
    fenced(job.result ?? "", `${job.id} result`),
    "",
  ];
  const review = [
    `## Reviewed: ${job.review?.verdict}`,
    "",
    fenced(job.review?.reason ?? "", `${job.id} review`),
    "",
  ];
  return [
    `# Job ${job.id}`,
    "",
    `> ${treat_as}`,
    "",
    ...lines(job),
    ...(job.result === undefined ? [] : result),
    ...(job.review ? review : []),
    job.state === "open"
      ? `Take it: \`POST /api/jobs/${job.id}/claim\` with the key headers of a claimed name.`
      : "",
    "",
  ].join("\n");
}

/** A page of the board. */
export const boardMarkdown = (base: string, board: JobBoard): string =>
  [
    "# Jobs",
    "",
    `> ${treat_as}`,
    "",
    `${board.open} open of ${board.total}. ${pay}`,
    "",
    ...board.jobs.flatMap((job) => [`## ${job.id}`, "", ...lines(job)]),
    ...(board.next ? [`More: \`GET ${base}/api/jobs.md?cursor=${board.next}\``, ""] : []),
    ...Object.entries(board.how).map(([what, call]) => `- ${what}: ${call}`),
    "",
  ].join("\n");
