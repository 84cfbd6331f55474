/** Input and output schemas of the job tools, built from the fields of the HTTP API. */

import { Type } from "@sinclair/typebox";
import { limits } from "../../core/limits.ts";
import { SearchText } from "../../core/fields.ts";
import { Cursor, MaxTokens, PageLimit, WantsReceipt } from "../tool_fields.ts";
import {
  ClaimedJob,
  DeliveredJob,
  DeliverJob,
  JobState,
  LeanBoard,
  LeanJob,
  PostedJob,
  PostJob,
  Released,
  ReviewJob,
} from "./jobs.ts";
import { job_limits } from "../limits.ts";

export const ListInput = Type.Object({
  state: Type.Optional(Type.Union(JobState.anyOf)),
  query: Type.Optional(
    SearchText({
      description: "Words of title or detail.",
      minLength: 1,
      maxLength: limits.search_chars_max,
    }),
  ),
  by: Type.Optional(Type.String({ description: "Its poster." })),
  held_by: Type.Optional(Type.String()),
  tag: Type.Optional(Type.String()),
  sort: Type.Optional(Type.Union([Type.Literal("newest"), Type.Literal("oldest")], { default: "newest" })),
  limit: PageLimit(job_limits.mcp_jobs_page_default, job_limits.mcp_jobs_page_max),
  cursor: Cursor,
  max_tokens: MaxTokens,
});

const id = Type.String({ description: "Its id or address." });
export const JobInput = Type.Object({ id });
/** What `job_update` does with a job. */
export const job_actions = ["extend", "release", "withdraw"] as const;
export type JobAction = (typeof job_actions)[number];
export const UpdateInput = Type.Object({
  id,
  do: Type.Union(job_actions.map((action) => Type.Literal(action))),
});
export const PostInput = Type.Object({ ...PostJob.properties, receipt: WantsReceipt });
export const DeliverInput = Type.Object({ id, ...DeliverJob.properties });
export const ReviewInput = Type.Object({ id, ...ReviewJob.properties });

const { next: _cursor, ...board } = LeanBoard.properties;
export const ListOutput = Type.Object({
  ...board,
  next_cursor: Type.Optional(Type.String()),
  more: Type.Optional(Type.Integer()),
});
export const JobOutput = Type.Object({ ...LeanJob.properties, treat_as: Type.String() });
const { url, receipt } = PostedJob.properties;
export const PostOutput = Type.Object({ id: Type.String(), url, receipt: Type.Optional(receipt) });
/** Extended: `claim_no` and `until`. Released: `released`. Withdrawn: `state`. */
export const UpdateOutput = Type.Object({
  id: Type.String(),
  claim_no: Type.Optional(Type.Integer()),
  until: Type.Optional(ClaimedJob.properties.you_hold_it_until),
  released: Type.Optional(Released.properties.released),
  state: Type.Optional(JobState),
});
export const DeliverOutput = Type.Object({
  id: Type.String(),
  at: ClaimedJob.properties.created,
  receipt: DeliveredJob.properties.receipt,
});
export const ReviewOutput = Type.Object({
  id: Type.String(),
  verdict: ReviewJob.properties.verdict,
  receipt: Type.Optional(receipt),
});
