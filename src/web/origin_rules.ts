/**
 * Which web pages may call: checks the Origin header and the sender of forms, and adds the CORS headers (Fetch Standard,
 * section 3.3). A service is public if its base URL has a public host; otherwise it is private.
 */

import { consent_path } from "../api/account.ts";
import { pathOf } from "./allowed_methods.ts";
import { web_errors } from "./errors.ts";
import { ServiceError } from "../core/errors.ts";
import { isLoopbackName, isPublicName } from "../core/public_hosts.ts";
import type { Config } from "../core/settings.ts";
import { isSignedInBrowser } from "./credential.ts";
import { addHeaders, type ExtraHeaders } from "./responses.ts";

export type OriginRules = ReturnType<typeof createOriginRules>;

interface Settings extends Pick<Config, "base_url" | "allowed_origins"> {
  /** Whether all web pages of this machine may call. */
  is_development?: boolean;
}

const exposed_headers =
  "ETag, Idempotency-Replayed, Link, Location, Preference-Applied, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, X-Ignored-Fields, X-Request-Id, Mcp-Session-Id, Mcp-Protocol-Version";

const accepted_headers =
  "accept, authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, mcp-protocol-version, " +
  "mcp-session-id, mcp-method, mcp-name, prefer, x-meet-key, x-wf-key, x-wf-name";

export function createOriginRules({ base_url, allowed_origins, is_development = false }: Settings) {
  const base_origin = base_url === null ? null : new URL(base_url).origin;
  const is_public = base_url !== null && isPublicName(new URL(base_url).hostname);
  const allowed = new Set(is_public ? [] : allowed_origins);

  /** Whether `origin` is our own: the origin of the base URL, or of the host in the request. */
  function isOwn(request: Request, origin: string): boolean {
    if (origin === base_origin) return true;
    const url = URL.parse(origin);
    if (!url || !/^https?:$/.test(url.protocol) || url.origin !== origin) return false;
    // A proxy may terminate TLS, so http and https count as the same. The Host header has been checked before.
    return URL.parse(`${url.protocol}//${request.headers.get("host")}`)?.host === url.host;
  }

  /** Whether a page of this service sent the request, a person or a program. Pages cannot leave these headers out. */
  function isFromHere(request: Request): boolean {
    const origin = request.headers.get("origin");
    if (origin !== null && isOwn(request, origin)) return true;
    const site = request.headers.get("sec-fetch-site");
    return site === null ? origin === null : site === "same-origin" || site === "none";
  }

  const allows = (origin: string): boolean =>
    allowed.has(origin) || (is_development && isLoopbackName(URL.parse(origin)?.hostname ?? ""));

  const isAllowed = (request: Request): boolean => {
    const origin = request.headers.get("origin");
    return origin !== null && allows(origin);
  };

  return {
    /**
     * Throws `origin_refused` if the page that called may not, or if a page of another origin writes, or calls the admin API, with
     * what the browser has signed in with. Programs send no Origin, and pass.
     */
    check(request: Request): void {
      // Browsers send what their user signed in with, whichever page sends the request. A GET of the admin API makes backups.
      const is_guarded = changes.has(request.method) || request.url.includes("/api/admin/");
      if (is_guarded && isSignedInBrowser(request) && !isFromHere(request)) {
        throw new ServiceError(
          web_errors.origin_refused,
          "A web page of another origin may not do this with what a browser has signed in with.",
          { hint: "Send the key as x-wf-key, or as Authorization: Bearer." },
        );
      }
      if (is_public) return;
      const origin = request.headers.get("origin");
      if (origin === null || allows(origin) || isOwn(request, origin)) return;
      // If a proxy sets a stricter Referrer-Policy, browsers send `Origin: null` with our own forms.
      if (origin === "null" && isSameOrigin(request)) return;
      throw new ServiceError(
        web_errors.origin_refused,
        "A web page of another origin may not call this service.",
        {
          hint: "If you run it: name the page's origin with --allowed-origin, or the public address of the service with --base-url.",
        },
      );
    },

    /** Throws `origin_refused` unless the browser says that a page of this service sent the form. */
    checkForm(request: Request): void {
      if (isSameOrigin(request)) return;
      const origin = request.headers.get("origin");
      if (origin !== null && isOwn(request, origin)) return;
      throw new ServiceError(web_errors.origin_refused, "No page of this service sent this form.", {
        hint:
          "Open the page here, and send the form from there. Programs post JSON to the API: POST /api/meet/rooms, " +
          "POST /api/meet/rooms/{room}/posts. Behind a proxy that changes the Host header, the service needs --base-url.",
      });
    },

    /** Adds the CORS headers to the answer. */
    addCors(request: Request, response: Response): void {
      if (isUnshared(request)) return;
      if (is_public) {
        response.headers.set("access-control-allow-origin", "*");
        response.headers.set("access-control-expose-headers", exposed_headers);
        return;
      }
      if (allowed.size === 0 && !is_development) return;
      response.headers.append("vary", "Origin");
      if (!isAllowed(request)) return;
      addHeaders(response, {
        "access-control-allow-origin": request.headers.get("origin")!,
        "access-control-expose-headers": exposed_headers,
      });
    },

    /** The CORS headers of the answer to an OPTIONS request for a path with these methods. */
    preflight(request: Request, methods: string): ExtraHeaders {
      if (isUnshared(request) || (!is_public && !isAllowed(request))) return {};
      return {
        "access-control-allow-methods": methods,
        "access-control-allow-headers": accepted_headers,
        "access-control-max-age": "86400",
      };
    },
  };
}

/** Whether no page of another origin may read the answer, also of a public service (RFC 9700, section 2.6). */
const isUnshared = (request: Request): boolean =>
  // Fast path: nearly every address is another one.
  request.url.includes(consent_path) && pathOf(request).endsWith(consent_path);

const changes = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Whether the sender is a page of the same origin (Fetch Metadata, section 2.3). Pages cannot set this header. */
const isSameOrigin = (request: Request): boolean => request.headers.get("sec-fetch-site") === "same-origin";
