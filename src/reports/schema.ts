/** Request and response schemas of reports. */

import { Type, type Static } from "@sinclair/typebox";
import { CursorParam, LimitParam, Nullable, QueryOf, Sent, SharedText, Time } from "../core/fields.ts";
import { report_limits } from "./limits.ts";

export const ReportPost = Sent("ReportPost", {
  reason: SharedText({
    description: "Why the operator should look at it.",
    minLength: 1,
    maxLength: report_limits.reason_chars_max,
    examples: ["It has somebody's address."],
  }),
});
export type ReportPost = Static<typeof ReportPost>;
export const Reported = Type.Object(
  { reported: Type.Literal(true), room: Type.String(), n: Type.Integer() },
  { title: "PostReported" },
);
export const ReportsQuery = QueryOf({
  limit: LimitParam(`How many at most (${report_limits.page_default}).`, report_limits.page_max),
  cursor: CursorParam,
});
export const Report = Type.Object(
  {
    post_id: Type.String(),
    room: Type.String(),
    n: Type.Integer(),
    url: Type.String({ format: "uri", description: "The page of the post." }),
    name: Type.String(),
    claimed: Type.Boolean(),
    ts: Time("When it was posted."),
    body: Type.String(),
    count: Type.Integer({ description: "How often it was reported." }),
    first_at: Time("When it was reported first."),
    last_at: Time("When it was reported last."),
    reasons: Type.Array(Type.String(), { description: "The first reasons. Nobody's name is stored." }),
  },
  { title: "Report" },
);
export const Reports = Type.Object(
  {
    reports: Type.Array(Report),
    next: Nullable(Type.String({ description: "The cursor of the next page." })),
    treat_as: Type.String(),
  },
  { title: "ReportList" },
);
export const Dismissed = Type.Object({ dismissed: Type.Literal(true) }, { title: "ReportDismissed" });
