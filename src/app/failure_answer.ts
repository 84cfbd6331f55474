/** Renders an error in the form that the caller reads. */

import type { Site } from "../../views/layout.tsx";
import { problemPage } from "../../views/problem.tsx";
import type { Hints, ServiceError } from "../core/errors.ts";
import type { Feature } from "../discovery/feature.ts";
import { requestRefusal } from "../mcp/error_boundary.ts";
import { web_http_hints } from "../web/http_hints.ts";
import { page_security } from "../web/page_headers.ts";
import { inHttpTerms, problemHeaders, problemResponse, statusOf } from "../web/problems.ts";

/** What callers over HTTP can do next, by code or `code.situation`: the hints of the features and of the errors of none. */
export const httpHints = (features: Feature[]): Hints =>
  Object.assign({}, web_http_hints, ...features.map(({ http_hints }) => http_hints)) as Hints;

/**
 * The response for an error: a JSON-RPC error for an MCP client, an HTML page for a browser that requests a page, else
 * problem details.
 */
export async function failureAnswer(
  thrown: ServiceError,
  request: Request,
  site: Site,
  hints: Hints,
): Promise<Response> {
  // With a malformed Host header the URL cannot be parsed.
  const path = URL.parse(request.url)?.pathname ?? "/api/";
  if (request.method === "POST" && /^\/mcp(?:\/|$)/.test(path)) return requestRefusal(thrown);
  const error = inHttpTerms(thrown, hints);
  const is_page = !/^\/(?:api|mcp)\//.test(path);
  if (!is_page || !request.headers.get("accept")?.includes("text/html"))
    return problemResponse(error, site.base);
  const { definition, detail, extra } = error;
  const page = await problemPage({ site, ...definition, detail, hint: extra.hint });
  return new Response(page, {
    status: statusOf(definition),
    headers: { "content-type": "text/html; charset=utf-8", ...page_security, ...problemHeaders(error) },
  });
}
