/** The routes of reports: for anybody, and for admins. */

import { Type } from "@sinclair/typebox";
import { adminCall, adminRoutes } from "../admin/admin_call.ts";
import { Reasoned } from "../api/admin.ts";
import type { ErrorDefinition } from "../core/error_definition.ts";
import { countOf } from "../core/fields.ts";
import { treat_as } from "../core/text_form.ts";
import { bodyOf } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { body_failures, doc } from "../web/openapi/describe.ts";
import { sendJson } from "../web/responses.ts";
import { report_errors } from "./errors.ts";
import type { Report, Reports } from "./reports.ts";
import * as schema from "../api/reports.ts";
import { report_limits } from "../api/limits.ts";

const PostParams = Type.Object({
  room: Type.String({ description: "The room's slug." }),
  id: Type.String({ description: "The post's number or id." }),
});
const ReportParams = Type.Object({ post_id: Type.String({ description: "The post's id." }) });

const shown = (base: string, { id, room, goal, visibility, claimed, ...report }: Report) => ({
  post_id: id,
  room,
  goal,
  visibility,
  url: `${base}/meet/r/${room}/${report.n}`,
  claimed: claimed === 1,
  ...report,
});

/** `of_posts`: the errors of a post that is not there, which another feature defines. */
export function reportsHttp(reports: Reports, http: Http, of_posts: ErrorDefinition[]): void {
  http.access.post(
    "/api/meet/rooms/:room/posts/:id/report",
    async ({ caller, params: { room, id }, body }) => {
      const { n } = await reports.report(caller, room, id, body.reason);
      return sendJson({ reported: true, room, n }, 201, caller);
    },
    {
      needs: "reader",
      params: PostParams,
      ...bodyOf(schema.ReportPost),
      ...doc({
        summary: "Report a post to the operator",
        description: "Your address and name are not stored.",
        tag: "rooms",
        operation_id: "reportPost",
        answers: { 201: { description: "It is reported.", schema: schema.Reported } },
        failures: [
          ...body_failures,
          ...of_posts,
          report_errors.nothing_to_report,
          report_errors.reports_full,
        ],
      }),
    },
  );
  adminRoutes(http, [
    adminCall({
      at: "GET /api/admin/reports",
      scope: "moderate",
      query: schema.ReportsQuery,
      summary: "Reported posts",
      operation_id: "listReports",
      answers: { 200: { description: "The open ones, the latest first.", schema: schema.Reports } },
      async run({ base, query }) {
        const limit = countOf(query.limit) ?? report_limits.page_default;
        const page = await reports.list(limit, query.cursor);
        return { reports: page.reports.map((one) => shown(base, one)), next: page.next, treat_as };
      },
    }),
    adminCall({
      at: "POST /api/admin/reports/:post_id/dismiss",
      scope: "moderate",
      params: ReportParams,
      body: Reasoned,
      summary: "Dismiss the report of a post",
      operation_id: "dismissReport",
      answers: { 200: { description: "It is dismissed.", schema: schema.Dismissed } },
      failures: [report_errors.report_not_found],
      run: ({ admin, params, body }) => reports.dismiss(admin, params.post_id, body.reason),
    }),
  ]);
}
