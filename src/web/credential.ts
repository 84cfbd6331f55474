/**
 * The credential of a request: an admin token, a name and its key, or only the key, which implies its name. Programs send headers
 * or Bearer, browsers the cookie of a session (session_cookie.ts) or HTTP Basic.
 */

import { caller_errors } from "../core/caller_errors.ts";
import { ServiceError } from "../core/errors.ts";
import { isSecret, secret_prefixes } from "../core/secrets.ts";
import type { Credential } from "../core/caller.ts";
import { hasSessionCookie } from "./session_cookie.ts";

/**
 * The credential in `argument` and in the headers; both parts are null if there is none. Ignores what else
 * Authorization may have, because it may be meant for a proxy. Throws if two different keys were sent.
 */
export function credentialOf({ headers }: Request, argument?: Credential): Credential {
  const authorization = headers.get("authorization");
  // Fast path: most requests have no credential.
  if (!argument && authorization === null) return { name: nameIn(headers), key: headers.get("x-wf-key") };
  const bearer = bearerOf(authorization);
  const basic = authorization === null || bearer !== null ? null : basicCredential(authorization);
  const keys = new Set(
    [argument?.key, headers.get("x-wf-key"), bearer, basic?.key].filter((key) => typeof key === "string"),
  );
  if (keys.size > 1) {
    throw new ServiceError(caller_errors.unknown_credential, "Two different keys were sent.", {
      situation: "two_keys",
    });
  }
  const [key = null] = keys;
  // The name in the argument takes precedence: it belongs to this call, the headers to all calls of a client.
  const named = key === null ? null : argument?.name;
  return { name: named || (nameIn(headers) ?? (basic?.name || null)), key };
}

/**
 * The name in `x-wf-name`: percent-encoded UTF-8, or the bytes of UTF-8, which curl sends, or else of Latin-1, which `fetch` sends. A claimed
 * name has no percent sign, so that an ASCII one is as it is.
 */
function nameIn(headers: Headers): string | null {
  const sent = headers.get("x-wf-name");
  if (sent === null || plain_name.test(sent)) return sent;
  const text = textOf(Buffer.from(sent, "latin1"));
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign without two digits: the name of nobody.
    return text;
  }
}

const plain_name = /^[\x20-\x24\x26-\x7e]*$/;
const strict_utf8 = new TextDecoder("utf-8", { fatal: true });

/** The text of these bytes, which are UTF-8 or else Latin-1. */
function textOf(bytes: Buffer): string {
  try {
    return strict_utf8.decode(bytes);
  } catch {
    return bytes.toString("latin1");
  }
}

/** What an Authorization header has as Bearer (RFC 6750, section 2.1); null if it has none. */
export const bearerOf = (authorization: string | null): string | null =>
  /^bearer(?: +|$)(.*)$/i.exec(authorization?.trim() ?? "")?.[1] ?? null;

/** The name and the key in HTTP Basic; null if the password is no key of a name. The user name may be empty. */
function basicCredential(authorization: string): { name: string; key: string } | null {
  const { user: name, password: key } = basicOf(authorization);
  return key.startsWith(secret_prefixes.name_key) ? { name, key } : null;
}

/** Whether a secret of this service came as a cookie or by HTTP Basic. A browser sends both by itself. */
export function isSignedInBrowser(request: Request): boolean {
  const authorization = request.headers.get("authorization");
  const is_basic = authorization !== null && /^wf[a-z]_/.test(basicOf(authorization).password);
  return is_basic || hasSessionCookie(request);
}

/** The admin token of a request: of Bearer, or the password of Basic, which browsers send. Null if there is none. */
export function adminTokenOf({ headers }: Request): string | null {
  const authorization = headers.get("authorization") ?? "";
  return /^bearer +(\S+)$/i.exec(authorization.trim())?.[1] ?? (basicOf(authorization).password || null);
}

/** Whether a request has what could be an admin token, by its form and checksum. */
export const hasAdminToken = (request: Request): boolean =>
  isSecret(secret_prefixes.admin_token, adminTokenOf(request) ?? "");

/** User name and password of HTTP Basic (RFC 7617), in UTF-8 or else in Latin-1; both are empty if there are none. */
export function basicOf(authorization: string): { user: string; password: string } {
  const [, encoded = ""] = /^basic +(\S+)$/i.exec(authorization.trim()) ?? [];
  const [, user = "", password = ""] = /^([^:]*):(.*)$/s.exec(textOf(Buffer.from(encoded, "base64"))) ?? [];
  return { user, password };
}
