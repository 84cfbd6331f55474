/** Documents about the service itself: the OpenAPI document, the style sheet, the pages that explain problems. */

import { Elysia, type AnyElysia } from "elysia";
import style from "../../views/style.css" with { type: "text" };
import { ServiceError } from "../errors.ts";
import { failures, type FailureCode } from "../failures.ts";
import { sendTagged, tagged, taggedHtml, taggedJson } from "./answers.ts";
import { undocumented } from "./doc.ts";
import type { Http } from "./http.ts";
import { openApiDocument } from "./openapi.ts";
import { page_headers } from "./pages.ts";
import { pageOfProblem } from "./problem_pages.ts";

/** `whole` gives the app whose routes the document describes. */
export function servicePages(whole: () => AnyElysia, { doorway }: Http) {
  const style_sheet = tagged(style, "text/css; charset=utf-8");
  return new Elysia({ name: "service" })
    .get(
      "/openapi.json",
      ({ request }) => sendTagged(request, taggedJson(openApiDocument(whole(), doorway.base(request)))),
      undocumented,
    )
    .get("/style.css", ({ request }) => sendTagged(request, style_sheet), undocumented)
    .get(
      "/",
      ({ request }) =>
        new Response(null, { status: 303, headers: { location: `${doorway.base(request)}/meet` } }),
      undocumented,
    )
    .get(
      "/problems/:code",
      async ({ request, params }) => {
        const code = params.code as FailureCode;
        if (!Object.hasOwn(failures, code)) {
          throw new ServiceError("path_not_found", "No problem has that code.");
        }
        const page = await pageOfProblem(doorway.base(request), code);
        return sendTagged(request, taggedHtml(page, page_headers));
      },
      undocumented,
    );
}
