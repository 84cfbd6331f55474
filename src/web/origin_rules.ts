/**
 * Which web pages may call: the check of the Origin header, the CORS headers of answers (Fetch Standard, section 3.3)
 * and the check of forms. A service is public when its base URL names a public host; any other one is private.
 */

import { web_errors } from "./errors.ts";
import { ServiceError } from "../core/errors.ts";
import { isPublicName } from "../core/public_hosts.ts";
import type { Config } from "../core/settings.ts";
import { addHeaders, type ExtraHeaders } from "./responses.ts";

export interface OriginRules {
  /** Throws `origin_refused` for a call of a web page that may not call here. Programs send no Origin, and pass. */
  check(request: Request): void;
  /** Throws `origin_refused` for a form that the browser does not say a page of this service sent. */
  checkForm(request: Request): void;
  /** Adds the CORS headers of the answer to `request`. */
  addCors(request: Request, response: Response): void;
  /** The CORS headers of the answer to an OPTIONS request for a path with these methods. */
  preflight(request: Request, methods: string): ExtraHeaders;
}

type Settings = Pick<Config, "base_url" | "allowed_origins">;

const exposed_headers =
  "ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, X-Ignored-Fields, Mcp-Session-Id, Mcp-Protocol-Version";

const accepted_headers =
  "accept, authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, mcp-protocol-version, " +
  "mcp-session-id, mcp-method, mcp-name, x-meet-key, x-wf-key, x-wf-name";

export function createOriginRules({ base_url, allowed_origins }: Settings): OriginRules {
  const base_origin = base_url === null ? null : new URL(base_url).origin;
  const is_public = base_url !== null && isPublicName(new URL(base_url).hostname);
  const allowed = new Set(is_public ? [] : allowed_origins);

  /** Whether a page of this service has this origin: that of the base URL, or the host that the request names. */
  function isOwn(request: Request, origin: string): boolean {
    if (origin === base_origin) return true;
    const url = URL.parse(origin);
    if (!url || !/^https?:$/.test(url.protocol) || url.origin !== origin) return false;
    // A proxy may have taken TLS off, so http and https are the same here. The Host itself is checked before this.
    return URL.parse(`${url.protocol}//${request.headers.get("host")}`)?.host === url.host;
  }

  const isAllowed = (request: Request): boolean => {
    const origin = request.headers.get("origin");
    return origin !== null && allowed.has(origin);
  };

  return {
    check(request) {
      if (is_public) return;
      const origin = request.headers.get("origin");
      if (origin === null || allowed.has(origin) || isOwn(request, origin)) return;
      // A page whose Referrer-Policy was made stricter on the way hides the origin of its own forms.
      if (origin === "null" && isSameOrigin(request)) return;
      throw new ServiceError(
        web_errors.origin_refused,
        "A web page of another origin may not call this service.",
        {
          hint: "If you run it: name the page's origin with --allowed-origin, or the public address of the service with --base-url.",
        },
      );
    },

    checkForm(request) {
      if (isSameOrigin(request)) return;
      const origin = request.headers.get("origin");
      if (origin !== null && isOwn(request, origin)) return;
      throw new ServiceError(web_errors.origin_refused, "No page of this service sent this form.", {
        hint:
          "Open the page here, and send the form from there. Programs post JSON to the API: POST /api/meet/rooms, " +
          "POST /api/meet/rooms/{room}/posts. Behind a proxy that changes the Host header, the service needs --base-url.",
      });
    },

    addCors(request, response) {
      if (is_public) {
        response.headers.set("access-control-allow-origin", "*");
        response.headers.set("access-control-expose-headers", exposed_headers);
        return;
      }
      if (allowed.size === 0) return;
      response.headers.append("vary", "Origin");
      if (!isAllowed(request)) return;
      addHeaders(response, {
        "access-control-allow-origin": request.headers.get("origin")!,
        "access-control-expose-headers": exposed_headers,
      });
    },

    preflight(request, methods): ExtraHeaders {
      if (!is_public && !isAllowed(request)) return {};
      return {
        "access-control-allow-methods": methods,
        "access-control-allow-headers": accepted_headers,
        "access-control-max-age": "86400",
      };
    },
  };
}

/** What the browser says of the page that sent the request (Fetch Metadata, section 2.3); pages cannot set it. */
const isSameOrigin = (request: Request): boolean => request.headers.get("sec-fetch-site") === "same-origin";
