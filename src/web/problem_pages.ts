/** Failures as pages: what a person sees whose browser asked for a page and ran into one. */

import { problemPage } from "../../views/problem.tsx";
import { type ServiceError } from "../errors.ts";
import { failures, type FailureCode } from "../failures.ts";
import { page_headers } from "./pages.ts";
import { problemHeaders, problemResponse, statusOf } from "./problems.ts";

/** The page that explains a code; with `error`, the page of that one occurrence. */
export const pageOfProblem = (base: string, code: FailureCode, error?: ServiceError): Promise<string> =>
  problemPage({
    base,
    code,
    status: statusOf(code),
    ...failures[code],
    ...(error && { occurrence: { detail: error.detail, hint: error.extra.hint } }),
  });

/** A failure in the form that its caller reads: a page for a browser at a page's address, else problem details. */
export async function failureAnswer(error: ServiceError, request: Request, base: string): Promise<Response> {
  // With a malformed Host there is no URL to speak of.
  const path = URL.parse(request.url)?.pathname ?? "/api/";
  const is_page = !/^\/(?:api|mcp)\//.test(path);
  if (!is_page || !request.headers.get("accept")?.includes("text/html")) return problemResponse(error, base);
  return new Response(await pageOfProblem(base, error.code, error), {
    status: statusOf(error.code),
    headers: { "content-type": "text/html; charset=utf-8", ...page_headers, ...problemHeaders(error) },
  });
}
