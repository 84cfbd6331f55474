/** Changes the URL of a request before the ingress sees it. */

/**
 * Gives `request` another URL. It stays the same object: the server knows the connection of no other, for its address, its timeout and
 * its end.
 */
export const withUrl = (request: Request, url: string): Request =>
  Object.defineProperty(request, "url", { value: url });

/** A request that came by TLS, as one without. Elysia looks for the path of a URL after `http://`, unless hosts have 3 characters. */
export const withoutTls = (request: Request): Request =>
  withUrl(request, request.url.replace(/^https:/, "http:"));
