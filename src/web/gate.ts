/** The outermost door: what every request passes on its way in, and every answer on its way out. */

import type { AnyElysia } from "elysia";
import { ServiceError } from "../errors.ts";
import { declaresTooMuch, tooLarge } from "./body.ts";
import type { Doorway } from "./doorway.ts";
import { problemResponse } from "./problems.ts";
import type { Routes } from "./routes.ts";

// No cookies exist here, so any origin may read and call with headers of its own.
const shared_headers = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, Mcp-Session-Id, Mcp-Protocol-Version",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};
const shared = Object.keys(shared_headers) as (keyof typeof shared_headers)[];

const allowed_headers =
  "accept, authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, mcp-protocol-version, " +
  "mcp-session-id, mcp-method, mcp-name, x-meet-key, x-wf-key, x-wf-name";

/** Throws when the path is not validly percent-encoded UTF-8: no route would know what was meant. */
function checkEncoding(url: string): void {
  if (!url.includes("%")) return;
  try {
    decodeURIComponent(new URL(url).pathname);
  } catch {
    throw new ServiceError("malformed_request", "The address is not validly percent-encoded.");
  }
}

export type Gate = (request: Request) => Promise<Response>;

/** `onError` turns what no route caught into an answer. */
export function createGate(
  app: AnyElysia,
  routes: Routes,
  doorway: Doorway,
  onError: (error: unknown, request: Request) => Promise<Response>,
): Gate {
  async function answer(request: Request): Promise<Response> {
    try {
      doorway.checkHost(request);
      checkEncoding(request.url);
      if (declaresTooMuch(request)) throw tooLarge();
      if (request.method === "OPTIONS") return options(request);
      if (request.method === "HEAD") return await head(request);
      return await app.fetch(request);
    } catch (error) {
      return await onError(error, request);
    }
  }

  /** RFC 9110, section 9.3.7, and the preflight of the Fetch Standard, section 4.8. */
  function options(request: Request): Response {
    const methods = routes.methods(new URL(request.url).pathname);
    if (methods.length === 0) {
      return problemResponse(
        new ServiceError("path_not_found", "There is nothing at this address."),
        doorway.base(request),
      );
    }
    return new Response(null, {
      status: 204,
      headers: {
        allow: methods.join(", "),
        "access-control-allow-methods": methods.join(", "),
        "access-control-allow-headers": allowed_headers,
        "access-control-max-age": "86400",
      },
    });
  }

  // RFC 9110, section 9.3.2: the server leaves the body out and says its length.
  const head = async ({ url, headers, signal }: Request): Promise<Response> =>
    app.fetch(new Request(url, { headers, signal }));

  return async (request) => {
    const response = await answer(request);
    const { headers } = response;
    for (const name of shared) headers.set(name, shared_headers[name]);
    return response;
  };
}
