/** The routes of the job board: /api/jobs and below. */

import { Type, type Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { FieldsParam, QueryOf } from "../core/fields.ts";
import { formAt, sendJson, sendTagged, taggedJson, taggedMarkdown } from "../web/responses.ts";
import { bodyOf } from "../web/body.ts";
import type { Caller } from "../core/caller.ts";
import type { IdempotentCall } from "../core/storage.ts";
import { undocumented } from "../web/openapi/describe.ts";
import type { Http, RequestContext } from "../web/context.ts";
import { docs } from "./openapi.ts";
import type { Jobs } from "./jobs.ts";
import { boardMarkdown, jobMarkdown } from "./markdown.ts";
import { boardAt, heldAt, jobAt, leanAnswer, leanBoard } from "./representations.ts";
import { BoardParams, DeliverJob, PostJob, ReviewJob } from "../api/jobs/jobs.ts";
import { job_limits } from "../api/limits.ts";
import { job_internal_limits } from "./limits.ts";

export const JobParams = Type.Object({ id: Type.String({ description: "The job's id." }) });
const JobQuery = QueryOf({ fields: FieldsParam });

/** The board query of a request. */
export const boardRequest = ({ sort, limit, fields: _fields, ...filter }: BoardParams) => ({
  ...filter,
  oldest_first: sort === "oldest",
  limit: Number(limit ?? job_limits.jobs_page_default),
});

/** A request for a command on one job. */
interface JobRequest<Body> {
  caller: Caller;
  base: string;
  id: string;
  body: Body;
}
type CommandContext<Body> = RequestContext & { params: { id: string }; body: Body };
type DeliverJob = Static<typeof DeliverJob>;
type ReviewJob = Static<typeof ReviewJob>;

export function jobsHttp(jobs: Jobs, http: Http) {
  const { access, memory, idempotency } = http;

  async function list({ request, route, caller, base, query }: RequestContext & { query: BoardParams }) {
    const { form } = formAt(request, route, ["json", "markdown"]);
    // A search may take long: it holds no memory of others up.
    if (query.q === undefined) await memory.reserve(request, job_internal_limits.jobs_page_bytes_max);
    const page = await jobs.list(caller, boardRequest(query));
    if (query.q !== undefined) await memory.reserve(request, job_internal_limits.jobs_page_bytes_max);
    if (form === "markdown") return sendTagged(request, taggedMarkdown(boardMarkdown(base, page)));
    return sendTagged(request, taggedJson(query.fields ? leanBoard(page) : boardAt(base, page)));
  }

  /** The handler of a command on one job: runs the command, and answers with its result as JSON. */
  const command =
    <Body>(
      run: (sent: JobRequest<Body>, call: IdempotentCall | undefined) => Promise<object>,
      status: 200 | 201 = 200,
    ) =>
    async ({ request, caller, base, params: { id }, body }: CommandContext<Body>): Promise<Response> => {
      const same_call = [caller.identity?.canonical, body ?? null];
      const result = await idempotency.run(request, caller, same_call, (call) =>
        run({ caller, base, id, body }, call),
      );
      return sendJson(result, status, caller);
    };
  const bare = { needs: "named", params: JobParams, parse: "none" } as const;

  return new Elysia({ name: "jobs" })
    .use(access)
    .get("/api/jobs", list, { needs: "reader", query: BoardParams, ...docs.list })
    .get("/api/jobs.md", list, { needs: "reader", query: BoardParams, ...undocumented })
    .post(
      "/api/jobs",
      async ({ request, caller, base, body }) => {
        const same_call = [caller.identity?.canonical, body];
        const { job, receipt } = await idempotency.run(request, caller, same_call, (call) =>
          jobs.post(caller, body, call),
        );
        const location = `${base}/api/jobs/${job.id}`;
        return sendJson({ ...jobAt(base, job), receipt }, 201, caller, { location });
      },
      { needs: "named", ...bodyOf(PostJob), ...docs.post },
    )
    .get(
      "/api/jobs/:id",
      async ({ request, base, params, query }) => {
        const { name, form } = formAt(request, params.id, ["json", "markdown"]);
        const job = await jobs.read(name);
        if (form === "markdown") return sendTagged(request, taggedMarkdown(jobMarkdown(job)));
        return sendTagged(request, taggedJson(query.fields ? leanAnswer(job) : jobAt(base, job)));
      },
      { needs: "reader", params: JobParams, query: JobQuery, ...docs.read },
    )
    .post(
      "/api/jobs/:id/claim",
      command(async ({ caller, base, id }, call) => heldAt(base, await jobs.claim(caller, id, call))),
      { ...bare, ...docs.claim },
    )
    .post(
      "/api/jobs/:id/extend",
      command(async ({ caller, base, id }, call) => heldAt(base, await jobs.extend(caller, id, call))),
      { ...bare, ...docs.extend },
    )
    .post(
      "/api/jobs/:id/release",
      command(({ caller, id }, call) => jobs.release(caller, id, call)),
      { ...bare, ...docs.release },
    )
    .post(
      "/api/jobs/:id/deliver",
      command<DeliverJob>(async ({ caller, base, id, body }, call) => {
        const { job, receipt } = await jobs.deliver(caller, id, body, call);
        return { ...jobAt(base, job), receipt };
      }, 201),
      { needs: "named", params: JobParams, ...bodyOf(DeliverJob), ...docs.deliver },
    )
    .post(
      "/api/jobs/:id/withdraw",
      command(async ({ caller, base, id }, call) => jobAt(base, await jobs.withdraw(caller, id, call))),
      { ...bare, ...docs.withdraw },
    )
    .post(
      "/api/jobs/:id/review",
      command<ReviewJob>(async ({ caller, base, id, body }, call) => {
        const { job, receipt } = await jobs.review(caller, id, body, call);
        return { ...jobAt(base, job), ...(receipt && { receipt }) };
      }),
      { needs: "named", params: JobParams, ...bodyOf(ReviewJob), ...docs.review },
    );
}
