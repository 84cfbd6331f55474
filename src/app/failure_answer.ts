/** Renders an error in the form that the caller reads. */

import { signInPage } from "../../views/sign_in.tsx";
import { problemPage } from "../../views/problem.tsx";
import { account_path } from "../api/account.ts";
import type { ServiceError } from "../core/errors.ts";
import type { Hints } from "../core/hints.ts";
import type { Policy } from "../core/policy.ts";
import { reader_words } from "../discovery/reader_words.ts";
import { requestRefusal } from "../mcp/error_boundary.ts";
import { opensMcpPage } from "../web/mcp_pages.ts";
import { sendPage } from "../web/page_headers.ts";
import { factsOf } from "../web/request_facts.ts";
import { inHttpTerms, problemHeaders, problemResponse, statusOf } from "../web/problems.ts";
import type { Site } from "../api/pages.ts";

/** Asks a browser again for the name and the key that it has sent by HTTP Basic (RFC 7617). */
const basic_challenge = { "www-authenticate": 'Basic realm="wharf", charset="UTF-8"' };
/** Asks a browser for an admin token: as the password, with any user name. */
const admin_challenge = { "www-authenticate": 'Basic realm="admin token as the password", charset="UTF-8"' };

/**
 * The response for an error: a JSON-RPC error for an MCP client, an HTML page for a browser that requests a page, else
 * problem details. `siteFor` is called for a page only.
 */
export async function failureAnswer(
  thrown: ServiceError,
  request: Request,
  base: string,
  siteFor: () => Promise<Site>,
  hints: Record<"http" | "tool", Hints>,
  policy: Policy,
): Promise<Response> {
  // With a malformed Host header the URL cannot be parsed.
  const path = URL.parse(request.url)?.pathname ?? "/api/";
  if (request.method === "POST" && /^\/mcp(?:\/|$)/.test(path)) return requestRefusal(thrown, hints.tool);
  const error = inHttpTerms(thrown, hints.http);
  const is_page = !/^\/(?:api|mcp)\//.test(path) || (path === account_path && opensMcpPage(request));
  if (!is_page || !request.headers.get("accept")?.includes("text/html"))
    return problemResponse(error, base, factsOf(request).id);
  const { definition, detail, extra } = error;
  const status = statusOf(definition);
  const is_admin = error.code === "admin_required";
  const signs_in = status === 401 && !is_admin;
  // Any other browser gets the form: a challenge for Basic would open a dialog in front of it.
  const sent_basic = request.headers.get("authorization")?.startsWith("Basic ") === true;
  const site = await siteFor();
  const page = signs_in
    ? await signInPage({ site, detail, claims: policy.claims, form: {} })
    : await problemPage({ site, ...definition, detail, hint: extra.hint, words: reader_words[error.code] });
  return sendPage(page, status, {
    ...problemHeaders(error),
    ...(signs_in && sent_basic && basic_challenge),
    ...(is_admin && admin_challenge),
  });
}
