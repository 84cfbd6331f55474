/** The routes that are no plain calls: the board and a job, each in several forms. */

import { FieldsParam, QueryOf } from "../core/fields.ts";
import { formAt, sendTagged, taggedJson, taggedMarkdown } from "../web/responses.ts";
import { undocumented } from "../web/openapi/describe.ts";
import type { Http } from "../web/context.ts";
import type { RequestContext } from "../web/request_context.ts";
import { docs } from "./openapi.ts";
import type { Jobs } from "./jobs.ts";
import { boardMarkdown, jobMarkdown } from "./markdown.ts";
import { boardAt, jobAt, leanAnswer, leanBoard } from "./representations.ts";
import { BoardParams, JobParams } from "../api/jobs/jobs.ts";
import { boardRequest } from "./filter.ts";
import { job_internal_limits } from "./limits.ts";

const JobQuery = QueryOf({ fields: FieldsParam });

export function jobsHttp(jobs: Jobs, http: Http) {
  const { access, memory } = http;

  async function list({ request, route, caller, base, query }: RequestContext & { query: BoardParams }) {
    const { form } = formAt(request, route, ["json", "markdown"]);
    // A search may take long: it holds no memory of others up.
    if (query.q === undefined) await memory.reserve(request, job_internal_limits.jobs_page_bytes_max);
    const page = await jobs.list(caller, boardRequest(query));
    if (query.q !== undefined) await memory.reserve(request, job_internal_limits.jobs_page_bytes_max);
    if (form === "markdown") return sendTagged(request, taggedMarkdown(boardMarkdown(base, page)));
    return sendTagged(request, taggedJson(query.fields ? leanBoard(page) : boardAt(base, page)));
  }

  return access
    .get("/api/jobs", list, { needs: "reader", query: BoardParams, ...docs.list })
    .get("/api/jobs.md", list, { needs: "reader", query: BoardParams, ...undocumented })
    .get(
      "/api/jobs/:id",
      async ({ request, base, params, query }) => {
        const { name, form } = formAt(request, params.id, ["json", "markdown"]);
        const job = await jobs.read(name);
        if (form === "markdown") return sendTagged(request, taggedMarkdown(jobMarkdown(job)));
        return sendTagged(request, taggedJson(query.fields ? leanAnswer(job) : jobAt(base, job)));
      },
      { needs: "reader", params: JobParams, query: JobQuery, ...docs.read },
    );
}
