/**
 * Secrets on the page after a form: the answer to the form leads to a page, so that going back sends nothing again. Until then the
 * browser has the secrets in a cookie that only this service can read. It ends after some minutes and with the session of the browser,
 * and is sent to that page alone.
 */

import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { ServiceClock } from "../core/clock.ts";
import type { Random } from "../core/random.ts";
import { sha256Hex } from "../core/secrets.ts";
import { web_limits } from "./limits.ts";
import { sessionCookieOf } from "./session_cookie.ts";

export type ShownOnce = ReturnType<typeof createShownOnce>;

const algorithm = "aes-256-gcm";
const iv_bytes = 12;
const tag_bytes = 16;

interface Sealed {
  until_ms: number;
  secrets: object;
}

/** `server_secret`: 32 bytes in hex, stored in the database and never returned. */
export function createShownOnce(server_secret: string, clock: Pick<ServiceClock, "steady">, random: Random) {
  const key = new Uint8Array(hkdfSync("sha256", Uint8Array.fromHex(server_secret), "", "shown once", 32));
  /** What a cookie is bound to: the address of its page, and the session. */
  const boundTo = (url: URL, session: string) => Buffer.from(JSON.stringify([url.href, sha256Hex(session)]));

  function seal(url: URL, session: string, sealed: Sealed): string {
    const iv = random.bytes(iv_bytes);
    const cipher = createCipheriv(algorithm, key, iv).setAAD(boundTo(url, session));
    const text = Buffer.concat([cipher.update(JSON.stringify(sealed), "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url");
  }

  /** Null for what this service has not sealed for this page and session. */
  function opened(url: URL, session: string, text: string): Sealed | null {
    const bytes = Buffer.from(text, "base64url");
    if (bytes.length < iv_bytes + tag_bytes) return null;
    const [iv, tag] = [bytes.subarray(0, iv_bytes), bytes.subarray(iv_bytes, iv_bytes + tag_bytes)];
    const decipher = createDecipheriv(algorithm, key, iv).setAAD(boundTo(url, session)).setAuthTag(tag);
    try {
      const parts = [decipher.update(bytes.subarray(iv_bytes + tag_bytes)), decipher.final()];
      return JSON.parse(Buffer.concat(parts).toString()) as Sealed;
    } catch {
      return null;
    }
  }

  return {
    /** The Set-Cookie header with `secrets` for the page at `page`, a URL. `session`: the cookie of the session that the browser gets. */
    cookie(page: string, session: string, secrets: object): string {
      const until_ms = clock.steady() + web_limits.shown_once_seconds * 1000;
      const url = new URL(page);
      return cookieAt(url, seal(url, session, { until_ms, secrets }), web_limits.shown_once_seconds);
    },

    /** The Set-Cookie header after which the page shows nothing. */
    ended: (page: string): string => cookieAt(new URL(page), "", 0),

    /** The secrets that the browser may see on the page at `page`; null if there are none, or none any more. */
    secretsFor(request: Request, base: string, page: string): object | null {
      const session = sessionCookieOf(request, () => base);
      const url = new URL(page);
      const start = `${nameAt(url)}=`;
      const cookies = request.headers.get("cookie")?.split(/;\s*/) ?? [];
      const text = cookies.find((one) => one.startsWith(start))?.slice(start.length);
      if (session === null || text === undefined) return null;
      const sealed = opened(url, session, text);
      return sealed && sealed.until_ms > clock.steady() ? sealed.secrets : null;
    },
  };
}

const nameAt = ({ protocol }: URL): string => (protocol === "https:" ? "__Secure-wharf-once" : "wharf-once");

/** `SameSite=Strict`: a page of another site that leads here shows nothing. */
const cookieAt = (url: URL, value: string, seconds: number): string =>
  [
    `${nameAt(url)}=${value}`,
    `Path=${url.pathname}`,
    `Max-Age=${seconds}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(url.protocol === "https:" ? ["Secure"] : []),
  ].join("; ");
