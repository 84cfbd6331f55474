/** The pages of the job board: /jobs and /jobs/{id}. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { jobPage } from "../../views/job.tsx";
import { jobsPage } from "../../views/jobs.tsx";
import { QueryOf } from "../core/fields.ts";
import { chooseForm, markdownTwin, sendTagged, taggedHtml, taggedMarkdown } from "../web/responses.ts";
import { undocumented } from "../web/openapi/describe.ts";
import type { Http, RequestContext } from "../web/context.ts";
import { pageHeaders, queryOf } from "../web/page_headers.ts";
import { boardAt, BoardParams, boardRequest } from "./routes.ts";
import type { Jobs } from "./jobs.ts";
import { boardMarkdown, jobMarkdown } from "./markdown.ts";
import { jobAt } from "./presenters.ts";

export function jobsPages(jobs: Jobs, { access, navigation }: Http) {
  async function boardAnswer(
    { request, caller, base }: RequestContext,
    query: BoardParams,
    is_markdown: boolean,
  ): Promise<Response> {
    // Forms send empty fields, too.
    const sent = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== "")) as BoardParams;
    const board = boardAt(base, await jobs.list(caller, boardRequest(sent)));
    return is_markdown || chooseForm(request, ["html", "markdown"]) === "markdown"
      ? sendTagged(request, taggedMarkdown(boardMarkdown(base, board)))
      : sendTagged(
          request,
          taggedHtml(
            await jobsPage({ base, navigation }, board, sent),
            pageHeaders(base, `${base}/jobs.md${queryOf(request)}`),
          ),
        );
  }

  const EmptyOr = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
    Type.Optional(Type.Union([schema, Type.Literal("")]));
  const { state, q, sort, ...rest } = BoardParams.properties;
  const PageParams = QueryOf({ ...rest, state: EmptyOr(state), q: EmptyOr(q), sort: EmptyOr(sort) });

  return new Elysia({ name: "jobs-pages" })
    .use(access)
    .get(
      "/jobs",
      ({ request, caller, base, query }) =>
        boardAnswer({ request, caller, base }, query as BoardParams, false),
      { needs: "public", query: PageParams, ...undocumented },
    )
    .get(
      "/jobs.md",
      ({ request, caller, base, query }) =>
        boardAnswer({ request, caller, base }, query as BoardParams, true),
      { needs: "public", query: PageParams, ...undocumented },
    )
    .get(
      "/jobs/:id",
      async ({ request, base, params }) => {
        const { name: id, is_markdown } = markdownTwin(params.id);
        const job = jobAt(base, await jobs.read(id));
        return is_markdown || chooseForm(request, ["html", "markdown"]) === "markdown"
          ? sendTagged(request, taggedMarkdown(jobMarkdown(job)))
          : sendTagged(
              request,
              taggedHtml(
                await jobPage({ base, navigation }, job),
                pageHeaders(base, `${base}/jobs/${job.id}.md`),
              ),
            );
      },
      { needs: "public", params: Type.Object({ id: Type.String() }), ...undocumented },
    );
}
