/** The headers of every page, and the answer with a page that is made for one reader. */

import { media, sendText, type ExtraHeaders } from "./responses.ts";

/** Allows our own style sheets, scripts, pictures, calls and forms; nothing inline, no frames, no content of other hosts. */
export const page_security = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "x-frame-options": "DENY",
};

/** An answer with a page that no cache may store. `extra` may replace each header. */
export const sendPage = (html: string, status = 200, extra: ExtraHeaders = {}): Response =>
  sendText(html, {
    status,
    headers: {
      "content-type": `${media.html}; charset=utf-8`,
      "cache-control": "private, no-store",
      ...page_security,
      ...extra,
    },
  });

/** The query of the request's URL with its `?`; empty if absent. */
export const queryOf = (request: Request): string => new URL(request.url).search;

/**
 * The headers of a page, with links for programs (RFC 8288). `twin` is the URL of the page as markdown. The other relations
 * follow RFC 8631 (description and documentation of the API) and RFC 9727 (the catalog of both).
 */
export const pageHeaders = (base: string, twin: string): Record<string, string> => ({
  ...page_security,
  link: [`<${twin}>; rel="alternate"; type="text/markdown"`, serviceLinks(base)].join(", "),
});

/** The Link header with the relations of the whole service. */
export const serviceLinks = (base: string): string =>
  [
    `<${base}/llms.txt>; rel="describedby"; type="text/plain"`,
    `<${base}/openapi.json>; rel="service-desc"; type="application/json"`,
    `<${base}/api>; rel="service-doc"; type="text/html"`,
    `<${base}/.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`,
  ].join(", ");
