/** The route of jobs for admins. */

import { adminCall, adminRoutes } from "../admin/admin_call.ts";
import { Reasoned } from "../api/admin.ts";
import { JobParams, WithdrawnJob } from "../api/jobs/jobs.ts";
import type { Http } from "../web/context.ts";
import { job_errors } from "./errors.ts";
import type { Jobs } from "./jobs.ts";
import { jobAt } from "./representations.ts";

export const jobsAdminHttp = (jobs: Jobs, http: Http) =>
  adminRoutes(http, [
    adminCall({
      at: "POST /api/admin/jobs/:id/withdraw",
      scope: "moderate",
      params: JobParams,
      body: Reasoned,
      summary: "Withdraw a job in any state, and erase its texts",
      operation_id: "withdrawJobAsAdmin",
      answers: { 200: { description: "The job, without texts.", schema: WithdrawnJob } },
      failures: [job_errors.job_not_found],
      async run({ admin, base, params, body }) {
        const { job, found } = await jobs.withdrawAsAdmin(admin, params.id, body.reason);
        return { ...jobAt(base, job), found };
      },
    }),
  ]);
