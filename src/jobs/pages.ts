/** The pages of the job board: /jobs and /jobs/{id}. */

import { Type, type Static } from "@sinclair/typebox";
import { jobPage, textsOf } from "../../views/job.tsx";
import { offer_labels } from "../../views/job_offer.tsx";
import { jobsPage } from "../../views/jobs.tsx";
import { call_errors } from "../core/general_errors.ts";
import { QueryOf } from "../core/fields.ts";
import { partsFor } from "../core/text.ts";
import { job_errors } from "./errors.ts";
import { refuseSecretsIn } from "../core/secrets.ts";
import { bodyOfForm, readForm } from "../web/body.ts";
import { refusedPage, withoutSecrets } from "../web/refused_form.ts";
import { formAt, markdownTwin, seeOther, sendTagged, taggedHtml, taggedMarkdown } from "../web/responses.ts";
import { pageDoc, undocumented } from "../web/openapi/describe.ts";
import type { Http } from "../web/context.ts";
import type { RequestContext } from "../web/request_context.ts";
import { pageHeaders, queryOf } from "../web/page_headers.ts";
import { boardRequest } from "./filter.ts";
import type { Jobs } from "./jobs.ts";
import { boardMarkdown, jobMarkdown } from "./markdown.ts";
import { boardAt, jobAt } from "./representations.ts";
import { BoardParams, JobParams, PostJob } from "../api/jobs/jobs.ts";
import { job_internal_limits } from "./limits.ts";

const EmptyOr = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Literal("")]));
const { state, q, sort, fields: _fields, ...rest } = BoardParams.properties;
const PageParams = QueryOf({ ...rest, state: EmptyOr(state), q: EmptyOr(q), sort: EmptyOr(sort) });
type PageParams = Static<typeof PageParams>;

const offerOf = bodyOfForm(PostJob);

type SentOffer = { [Field in keyof typeof PostJob.properties | "once"]?: string };

export function jobsPages(jobs: Jobs, { access, siteOf, memory, texts, origins, idempotency }: Http) {
  async function board({ request, route, caller, base, query }: RequestContext & { query: PageParams }) {
    // Forms send empty fields, too.
    const sent = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== "")) as BoardParams;
    if (sent.q === undefined) await memory.reserve(request, job_internal_limits.jobs_page_bytes_max);
    const found = await jobs.list(caller, boardRequest(sent));
    if (sent.q !== undefined) await memory.reserve(request, job_internal_limits.jobs_page_bytes_max);
    return formAt(request, route, ["html", "markdown"]).form === "markdown"
      ? sendTagged(request, taggedMarkdown(boardMarkdown(base, found)))
      : sendTagged(
          request,
          taggedHtml(
            await jobsPage(
              await siteOf({ caller, base }),
              boardAt(base, found),
              sent,
              {},
              partsFor(sent.q ?? ""),
            ),
            pageHeaders(base, `${base}/jobs.md${queryOf(request)}`),
          ),
        );
  }

  return access
    .get("/jobs", board, {
      needs: "reader",
      query: PageParams,
      ...pageDoc({
        summary: "The job board",
        operation_id: "readJobsPage",
        // The form of the page sends empty fields, too.
        query: QueryOf({ state, q: { ...q, minLength: 0 }, sort, ...rest }),
        failures: [call_errors.invalid_fields],
      }),
    })
    .post(
      "/jobs",
      async ({ request, caller, base }) => {
        const form: SentOffer = await readForm(request, origins);
        try {
          refuseSecretsIn(form);
          const fields = offerOf(form);
          const { job } = await idempotency.runForm(request, caller, form, (call) =>
            jobs.post(caller, fields, call),
          );
          return seeOther(`${base}/jobs/${job.id}`);
        } catch (error) {
          return refusedPage(error, { labels: offer_labels }, async (refusal) => {
            const shown = boardAt(base, await jobs.list(caller, boardRequest({})));
            return jobsPage(await siteOf({ caller, base }), shown, {}, { ...withoutSecrets(form), refusal });
          });
        }
      },
      { needs: "named", parse: "none", ...undocumented },
    )
    .get("/jobs.md", board, { needs: "reader", query: PageParams, ...undocumented })
    .get(
      "/jobs/:id",
      async ({ request, caller, base, params }) => {
        const job = await jobs.read(markdownTwin(params.id).name);
        if (formAt(request, params.id, ["html", "markdown"]).form === "markdown") {
          return sendTagged(request, taggedMarkdown(jobMarkdown(job)));
        }
        const shown = jobAt(base, job);
        const receipts = jobs.receiptsFor(caller, job);
        const html = await texts(textsOf(shown));
        const page = await jobPage(await siteOf({ caller, base }), { job: shown, html, receipts });
        return sendTagged(request, taggedHtml(page, pageHeaders(base, `${base}/jobs/${job.id}.md`)));
      },
      {
        needs: "reader",
        params: JobParams,
        ...pageDoc({ summary: "A job", operation_id: "readJobPage", failures: [job_errors.job_not_found] }),
      },
    );
}
