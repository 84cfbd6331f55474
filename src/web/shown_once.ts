/**
 * Secrets on the page after a form: the answer to the form leads to a page, so that going back sends nothing again. Until then the
 * browser has the secrets in a cookie that only this service can read. It ends after some minutes and with the session of the browser,
 * and is sent to that page alone.
 */

import type { ServiceClock } from "../core/clock.ts";
import type { Random } from "../core/random.ts";
import { createSealing } from "../core/sealed_text.ts";
import { sha256Hex } from "../core/secrets.ts";
import { web_limits } from "./limits.ts";
import { sessionCookieOf } from "./session_cookie.ts";

export type ShownOnce = ReturnType<typeof createShownOnce>;

interface Sealed {
  until_ms: number;
  secrets: object;
}

/** `server_secret`: 32 bytes in hex, stored in the database and never returned. */
export function createShownOnce(server_secret: string, clock: Pick<ServiceClock, "steady">, random: Random) {
  const sealing = createSealing(server_secret, "shown once", random);
  /** What a cookie is bound to: the address of its page, and the session. */
  const boundTo = (url: URL, session: string) => JSON.stringify([url.href, sha256Hex(session)]);

  return {
    /**
     * The Set-Cookie header with `secrets` for the page at `page`, a URL. `session`: the cookie of the session that the browser gets.
     * `secrets` has at most about 2,900 bytes as JSON, and no text of a caller without a limit: a browser drops a cookie of more than
     * 4,096 bytes, and with it the secrets.
     */
    cookie(page: string, session: string, secrets: object): string {
      const until_ms = clock.steady() + web_limits.shown_once_seconds * 1000;
      const url = new URL(page);
      const sealed: Sealed = { until_ms, secrets };
      const text = sealing.seal(boundTo(url, session), JSON.stringify(sealed));
      return cookieAt(url, text, web_limits.shown_once_seconds);
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
      const opened = sealing.open(boundTo(url, session), text);
      if (opened === null) return null;
      const { until_ms, secrets } = JSON.parse(opened) as Sealed;
      return until_ms > clock.steady() ? secrets : null;
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
