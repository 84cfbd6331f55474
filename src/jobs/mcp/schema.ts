/** Input and output schemas of the job tools, built from the fields of the HTTP API. */

import { Type } from "@sinclair/typebox";
import { limits } from "../../core/limits.ts";
import { job_limits } from "../limits.ts";
import { SearchText } from "../../core/fields.ts";
import { Cursor, PageLimit } from "../../mcp/fields.ts";
import {
  ClaimedJob,
  DeliveredJob,
  DeliverJob,
  Job,
  JobBoard,
  JobState,
  PostedJob,
  PostJob,
  Released,
  ReviewJob,
} from "../schema.ts";

export const ListInput = Type.Object({
  state: Type.Optional(Type.Union(JobState.anyOf, { description: "Only jobs in this state." })),
  query: Type.Optional(
    SearchText({
      description: `At most ${limits.search_terms_max} words of title or detail.`,
      minLength: 1,
      maxLength: limits.search_chars_max,
    }),
  ),
  by: Type.Optional(Type.String({ description: "Only jobs that this name posted." })),
  tag: Type.Optional(Type.String({ description: "Only jobs with this tag." })),
  sort: Type.Optional(
    Type.Union([Type.Literal("newest"), Type.Literal("oldest")], { description: "newest when left out." }),
  ),
  limit: PageLimit(job_limits.mcp_jobs_page_default, job_limits.mcp_jobs_page_max),
  cursor: Cursor,
});

const id = Type.String({ description: "The job's id, or any address of it." });
export const JobInput = Type.Object({ id });
export const PostInput = PostJob;
export const DeliverInput = Type.Object({ id, ...DeliverJob.properties });
export const ReviewInput = Type.Object({ id, ...ReviewJob.properties });

const { jobs, open, total, pay, treat_as, indexed_through } = JobBoard.properties;
const next = { next: Type.String() };

export const ListOutput = Type.Object({
  jobs,
  open,
  total,
  pay,
  indexed_through,
  next_cursor: Type.Optional(Type.String()),
  treat_as,
  ...next,
});
export const JobOutput = Type.Object({ ...Job.properties, ...next });
export const PostOutput = Type.Object({ ...PostedJob.properties, ...next });
export const HeldOutput = Type.Object({ ...ClaimedJob.properties, ...next });
export const DeliverOutput = Type.Object({ ...DeliveredJob.properties, ...next });
export const ReleaseOutput = Type.Object({ ...Released.properties, ...next });
