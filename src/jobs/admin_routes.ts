/** The routes of jobs for admins. */

import { Elysia } from "elysia";
import { JobParams } from "../api/jobs/jobs.ts";
import { action_failures } from "../admin/openapi.ts";
import { Reasoned } from "../api/admin.ts";
import { bodyOf } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { doc } from "../web/openapi/describe.ts";
import { sendJson } from "../web/responses.ts";
import { job_errors } from "./errors.ts";
import type { Jobs } from "./jobs.ts";
import { jobAt } from "./representations.ts";
import { Job } from "../api/jobs/jobs.ts";

const withdraw = doc({
  summary: "Withdraw a job in any state, and erase its texts",
  tag: "moderation",
  operation_id: "withdrawJobAsAdmin",
  answers: { 200: { description: "The job, without texts.", schema: Job } },
  failures: [...action_failures, job_errors.job_not_found],
});

export const jobsAdminHttp = (jobs: Jobs, { access }: Http) =>
  new Elysia({ name: "jobs-admin" })
    .use(access)
    .post(
      "/api/admin/jobs/:id/withdraw",
      async ({ admin, base, params, body }) =>
        sendJson(jobAt(base, await jobs.withdrawAsAdmin(admin, params.id, body.reason)), 200),
      { needs_scope: "moderate", params: JobParams, ...bodyOf(Reasoned), ...withdraw },
    );
