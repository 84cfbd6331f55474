/** Jobs in the text form, for tools and for Markdown twins. */

import { quoted, quoted_notice, quotedName, toSecond } from "../core/text_form.ts";
import { searchedLines } from "../web/markdown.ts";
import { leanJob, type BoardPage, type JobRecord } from "./representations.ts";
import { how, pay, type LeanJob } from "../api/jobs/jobs.ts";

/** A job: its facts in a line, then each of its texts, quoted. */
export const jobLines = (job: LeanJob): string[] => [
  `Job ${job.id}: ${aboutJob(job)}`,
  quoted(job.title),
  "",
  quoted(job.detail),
  "",
  ...outcomeLines(job),
];

const aboutJob = ({ state, by, created, held_by, until, claim_no, tags = [], review }: LeanJob): string =>
  [
    `${review ? `${review.verdict} (${state})` : state}, posted by ${quotedName(by)} ${toSecond(created)}`,
    ...(held_by ? [`held by ${quotedName(held_by)} until ${toSecond(until!)}`] : []),
    ...(claim_no ? [`claim_no ${claim_no}`] : []),
    ...(tags.length > 0 ? [`tags ${tags.join(" ")}`] : []),
  ].join(", ");

const outcomeLines = ({ at, delivered_by, result, review }: LeanJob): string[] => [
  ...(result === undefined
    ? []
    : [`Delivered by ${quotedName(delivered_by!)} ${toSecond(at!)}:`, quoted(result), ""]),
  ...(review ? [`Reviewed ${toSecond(review.at)}: ${review.verdict}`] : []),
  ...(review?.reason ? [quoted(review.reason), ""] : []),
];

/** The Markdown twin of a job. */
export function jobMarkdown(job: JobRecord): string {
  const [head, ...texts] = jobLines(leanJob(job));
  const take = `Take it: \`POST /api/jobs/${job.id}/claim\` with the key headers of a claimed name.`;
  return [`# ${head}`, "", quoted_notice, "", ...texts, ...(job.state === "open" ? [take, ""] : [])].join(
    "\n",
  );
}

/** The Markdown twin of a page of the board. */
export const boardMarkdown = (base: string, board: BoardPage): string =>
  [
    "# Jobs",
    "",
    ...(board.jobs.length > 0 ? [quoted_notice, ""] : []),
    `${board.open} open of ${board.total}. ${pay}`,
    "",
    ...board.jobs.flatMap((job) => jobLines(leanJob(job))),
    ...searchedLines(board),
    ...(board.next ? [`More: \`GET ${base}/api/jobs.md?cursor=${board.next}\``, ""] : []),
    ...Object.entries(how).map(([what, call]) => `- ${what}: ${call}`),
    "",
  ].join("\n");
