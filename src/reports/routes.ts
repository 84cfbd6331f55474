/** The routes of reports: for anybody, and for admins. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { action_failures, admin_failures } from "../admin/openapi.ts";
import { Reasoned } from "../api/admin.ts";
import { call_errors } from "../core/error_codes.ts";
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

const of_moderation = { tag: "moderation" } as const;

const docs = {
  report: (of_posts: ErrorDefinition[]) =>
    doc({
      summary: "Report a post to the operator",
      description: "Your address and name are not stored.",
      tag: "rooms",
      operation_id: "reportPost",
      answers: { 201: { description: "It is reported.", schema: schema.Reported } },
      failures: [...body_failures, ...of_posts, report_errors.nothing_to_report, report_errors.reports_full],
    }),
  list: doc({
    summary: "Reported posts",
    ...of_moderation,
    operation_id: "listReports",
    answers: { 200: { description: "The open ones, the latest first.", schema: schema.Reports } },
    failures: [...admin_failures, call_errors.invalid_fields],
  }),
  dismiss: doc({
    summary: "Dismiss the report of a post",
    ...of_moderation,
    operation_id: "dismissReport",
    answers: { 200: { description: "It is dismissed.", schema: schema.Dismissed } },
    failures: [...action_failures, report_errors.report_not_found],
  }),
};

const PostParams = Type.Object({
  room: Type.String({ description: "The room's slug." }),
  id: Type.String({ description: "The post's number or id." }),
});
const ReportParams = Type.Object({ post_id: Type.String({ description: "The post's id." }) });

const shown = (base: string, { id, room, claimed, ...report }: Report) => ({
  post_id: id,
  room,
  url: `${base}/meet/r/${room}/${report.n}`,
  claimed: claimed === 1,
  ...report,
});

/** `of_posts`: the errors of a post that is not there, which another feature defines. */
export const reportsHttp = (reports: Reports, { access }: Http, of_posts: ErrorDefinition[]) =>
  new Elysia({ name: "reports" })
    .use(access)
    .post(
      "/api/meet/rooms/:room/posts/:id/report",
      async ({ caller, params: { room, id }, body }) => {
        const { n } = await reports.report(caller, room, id, body.reason);
        return sendJson({ reported: true, room, n }, 201, caller);
      },
      { needs: "reader", params: PostParams, ...bodyOf(schema.ReportPost), ...docs.report(of_posts) },
    )
    .get(
      "/api/admin/reports",
      async ({ base, query }) => {
        const limit = countOf(query.limit) ?? report_limits.page_default;
        const page = await reports.list(limit, query.cursor);
        return sendJson(
          { reports: page.reports.map((one) => shown(base, one)), next: page.next, treat_as },
          200,
        );
      },
      { needs_scope: "moderate", query: schema.ReportsQuery, ...docs.list },
    )
    .post(
      "/api/admin/reports/:post_id/dismiss",
      async ({ admin, params, body }) =>
        sendJson(await reports.dismiss(admin, params.post_id, body.reason), 200),
      { needs_scope: "moderate", params: ReportParams, ...bodyOf(Reasoned), ...docs.dismiss },
    );
