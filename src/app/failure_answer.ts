/** Renders an error in the form that the caller reads. */

import { http_details, http_hints } from "./http_hints.ts";
import { problemPage } from "../../views/problem.tsx";
import { type ServiceError } from "../core/errors.ts";
import { requestRefusal } from "../mcp/error_boundary.ts";
import { page_security } from "../web/page_headers.ts";
import { inHttpTerms, problemHeaders, problemResponse, statusOf } from "../web/problems.ts";

/**
 * The response for an error: a JSON-RPC error for an MCP client, an HTML page for a browser that requests a page, else
 * problem details.
 */
export async function failureAnswer(thrown: ServiceError, request: Request, base: string): Promise<Response> {
  // With a malformed Host header the URL cannot be parsed.
  const path = URL.parse(request.url)?.pathname ?? "/api/";
  if (request.method === "POST" && /^\/mcp(?:\/|$)/.test(path)) return requestRefusal(thrown);
  const error = inHttpTerms(thrown, http_hints, http_details);
  const is_page = !/^\/(?:api|mcp)\//.test(path);
  if (!is_page || !request.headers.get("accept")?.includes("text/html")) return problemResponse(error, base);
  const { definition, detail, extra } = error;
  const page = await problemPage({ base, ...definition, detail, hint: extra.hint });
  return new Response(page, {
    status: statusOf(definition),
    headers: { "content-type": "text/html; charset=utf-8", ...page_security, ...problemHeaders(error) },
  });
}
