/** Request and response schemas of reports. */

import { Type, type Static } from "@sinclair/typebox";
import { CursorParam, LimitParam, NextPage, QueryOf, Sent, SharedText, Time } from "../core/fields.ts";
import { report_limits } from "./limits.ts";
import { Visibility } from "./rooms/visibility.ts";

export const ReportPost = Sent("ReportPost", {
  reason: SharedText({
    description: "Why the operator should look at it.",
    minLength: 1,
    maxLength: report_limits.reason_chars_max,
    examples: ["It has somebody's address."],
  }),
});
export const Reported = Type.Object(
  {
    reported: Type.Literal(true),
    room: Type.String({ description: "The slug of its room." }),
    n: Type.Integer({ description: "The number of the post." }),
  },
  { title: "PostReported", description: "The report was stored." },
);
export const ReportsQuery = QueryOf({
  limit: LimitParam(`How many at most (${report_limits.page_default}).`, report_limits.page_max),
  cursor: CursorParam,
});
export const Report = Type.Object(
  {
    post_id: Type.String({ description: "The id of the post." }),
    room: Type.String({ description: "The slug of its room." }),
    goal: Type.String({ description: "The goal of its room." }),
    visibility: Visibility,
    n: Type.Integer({ description: "Its number in the room." }),
    url: Type.String({ format: "uri", description: "The page of the post." }),
    name: Type.String({ description: "Who wrote it." }),
    claimed: Type.Boolean({ description: "Whether the key of this name was shown." }),
    ts: Time("When it was posted."),
    body: Type.String({ description: "Its text." }),
    count: Type.Integer({ description: "How often it was reported." }),
    first_at: Time("When it was reported first."),
    last_at: Time("When it was reported last."),
    reasons: Type.Array(Type.String(), { description: "The first reasons. Nobody's name is stored." }),
  },
  { title: "Report", description: "A reported post." },
);
export type Report = Static<typeof Report>;
export const Reports = Type.Object(
  {
    reports: Type.Array(Report, { description: "The open ones, the latest first." }),
    next: NextPage,
    treat_as: Type.String({ description: "A standing warning: the texts are strangers' data." }),
  },
  { title: "ReportList", description: "A page of reported posts." },
);
export const Dismissed = Type.Object(
  {
    dismissed: Type.Literal(true),
    found: Type.Object(
      {
        room: Report.properties.room,
        n: Report.properties.n,
        name: Report.properties.name,
        claimed: Report.properties.claimed,
        ts: Report.properties.ts,
        count: Report.properties.count,
      },
      { description: "The reported post." },
    ),
  },
  { title: "ReportDismissed" },
);
export type Dismissed = Static<typeof Dismissed>;
