/** What every page for people is sent with. */

/** Only our own style sheet and forms; no scripts, no frames, nothing from elsewhere. */
export const page_security = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "x-frame-options": "DENY",
};

/** The query of a request as it stands in its address, `?` included; empty where there is none. */
export const queryOf = (request: Request): string => new URL(request.url).search;

/**
 * The headers of a page: where a program that came upon it goes on (RFC 8288). `twin` is the page as markdown; the
 * other relations are those of RFC 8631 (the API's description and documentation) and RFC 9727 (the catalog of both).
 */
export const pageHeaders = (base: string, twin: string): Record<string, string> => ({
  ...page_security,
  link: [`<${twin}>; rel="alternate"; type="text/markdown"`, serviceLinks(base)].join(", "),
});

/** The Link header of what leads to the service as a whole. */
export const serviceLinks = (base: string): string =>
  [
    `<${base}/llms.txt>; rel="describedby"; type="text/plain"`,
    `<${base}/openapi.json>; rel="service-desc"; type="application/json"`,
    `<${base}/api>; rel="service-doc"; type="text/html"`,
    `<${base}/.well-known/api-catalog>; rel="api-catalog"; type="application/linkset+json"`,
  ].join(", ");
