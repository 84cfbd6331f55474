/** The jobs of the name that is signed in, and the forms with which it claims, delivers, reviews or withdraws one. */

import { Type } from "@sinclair/typebox";
import { textsOf } from "../../views/job.tsx";
import { job_labels } from "../../views/job_actions.tsx";
import { myJobPage, myJobsPage } from "../../views/my_jobs.tsx";
import type { Caller } from "../core/caller.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { ServiceError } from "../core/errors.ts";
import { refuseSecretsIn } from "../core/secrets.ts";
import type { PlainCall } from "../mcp/plain_call.ts";
import { bodyOfForm, readForm } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { web_errors } from "../web/errors.ts";
import { pageDoc, undocumented } from "../web/openapi/describe.ts";
import { sendPage } from "../web/page_headers.ts";
import { refusedPage, withoutSecrets } from "../web/refused_form.ts";
import { job_errors } from "./errors.ts";
import type { Jobs } from "./jobs.ts";
import { jobAt } from "./representations.ts";
import { seeOther } from "../web/responses.ts";
import { JobParams, type JobForm } from "../api/jobs/jobs.ts";

const jobs_per_list = 50;

type SentForm = Partial<Record<"once" | "result" | "reason" | "claim_no" | "verdict", string>>;

const ActionParams = Type.Object({ id: Type.String(), action: Type.String() });

const nothing = Type.Object({});

/** What anybody can do with the job whose forms are at `path`, if there is one. */
export async function purposeOfJob(jobs: Jobs, path: string): Promise<string | null> {
  const [, id] = /^\/me\/jobs\/([\w-]+)$/.exec(path) ?? [];
  if (id === undefined) return null;
  const job = await jobs.read(id).catch(() => null);
  return job && `${job.state === "open" ? "claim" : "see"} the job “${job.title}”`;
}

export function myJobsPages(
  jobs: Jobs,
  calls: readonly PlainCall[],
  { access, origins, idempotency, siteOf, texts }: Http,
) {
  const actions = new Map(
    calls.map(({ at, run, body = nothing }) => [at.names.http, { run, bodyOf: bodyOfForm(body) }]),
  );

  const newest = async (caller: Caller, base: string, of: "by" | "held_by" | "delivered_by") => {
    const query = { filter: { [of]: caller.identity!.name }, limit: jobs_per_list, oldest_first: false };
    return (await jobs.list(caller, query)).jobs.map((job) => jobAt(base, job));
  };

  async function jobPage(caller: Caller, base: string, id: string, form: JobForm): Promise<string> {
    const stored = await jobs.read(id);
    const job = jobAt(base, stored);
    const receipts = jobs.receiptsFor(caller, stored);
    const html = await texts(textsOf(job));
    return myJobPage(await siteOf({ caller, base }), { job, html, receipts }, form);
  }

  return access
    .get(
      "/me/jobs",
      async ({ caller, base }) => {
        const held = await newest(caller, base, "held_by");
        const delivered = await newest(caller, base, "delivered_by");
        const posted = await newest(caller, base, "by");
        return sendPage(await myJobsPage(await siteOf({ caller, base }), { held, delivered, posted }));
      },
      {
        needs: "named",
        ...pageDoc({
          summary: "The jobs of the name that is signed in",
          operation_id: "readMyJobsPage",
          media: ["text/html"],
          failures: [caller_errors.credential_required],
        }),
      },
    )
    .get(
      "/me/jobs/:id",
      async ({ caller, base, params: { id } }) => {
        return sendPage(await jobPage(caller, base, id, {}));
      },
      {
        needs: "named",
        params: JobParams,
        ...pageDoc({
          summary: "A job, with the forms of the name that is signed in",
          operation_id: "readMyJobPage",
          media: ["text/html"],
          failures: [caller_errors.credential_required, job_errors.job_not_found],
        }),
      },
    )
    .post(
      "/me/jobs/:id/:action",
      async ({ request, caller, base, params: { id, action } }) => {
        const form: SentForm = await readForm(request, origins);
        const meant = actions.get(`POST /api/jobs/{id}/${action}`);
        if (!meant) throw new ServiceError(web_errors.path_not_found, "A job has no form of that name.");
        try {
          refuseSecretsIn(form);
          await idempotency.runForm(request, caller, form, (call) =>
            meant.run({ ...meant.bodyOf(form), id }, { caller, base, call }),
          );
          const location = `${base}/me/jobs/${encodeURIComponent(id)}`;
          return seeOther(location);
        } catch (error) {
          return refusedPage(error, { labels: job_labels }, (refusal) => {
            const { result, reason } = withoutSecrets(form);
            return jobPage(caller, base, id, { result, reason, refusal });
          });
        }
      },
      { needs: "named", params: ActionParams, parse: "none", ...undocumented },
    );
}
