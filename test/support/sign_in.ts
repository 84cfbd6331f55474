/** A browser as the service sees it: it sends forms from the service's own pages, and the cookie of its session. */

import { send, type Answer } from "./http.ts";

const form_type = { "content-type": "application/x-www-form-urlencoded" };

/** Browsers drop a cookie whose name and value have more bytes (RFC 6265bis, section 5.7). */
const cookie_bytes_max = 4096;

export interface Browser {
  /** The headers of its requests: the cookie, if it has one. */
  headers(): Record<string, string>;
  /** The cookie as `name=value`; empty if it has none. */
  cookie: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer<string>>;
  /** Sends a form from a page of the service. */
  post(
    path: string,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Answer<string>>;
  /** The same; returns the page to which the answer leads, with the cookie that is for that page alone. */
  follow(path: string, fields?: Record<string, string>): Promise<Answer<string>>;
}

/** `origin`: that of the pages, if the service has a base URL of its own. */
export function newBrowser(url: string, origin = url): Browser {
  /** The cookies of single pages, by their paths. */
  const of_pages = new Map<string, string>();
  const browser: Browser = {
    cookie: "",
    headers: () => ({ accept: "text/html", ...(browser.cookie && { cookie: browser.cookie }) }),
    get(path, headers) {
      const cookie = [browser.cookie, of_pages.get(path.split("?")[0]!)].filter(Boolean).join("; ");
      return send("GET", url + path, { ...browser.headers(), ...(cookie && { cookie }), ...headers });
    },
    async post(path, fields = {}, headers = {}) {
      const sent = { ...browser.headers(), ...form_type, origin, ...headers };
      const answer = await send("POST", url + path, sent, new URLSearchParams(fields).toString());
      for (const set of answer.headers.getSetCookie()) {
        const cookie = set.includes("Max-Age=0;") ? "" : set.split(";")[0]!;
        if (cookie.length > cookie_bytes_max) continue;
        if (/^(?:__\w+-)?wharf=/.test(set)) browser.cookie = cookie;
        else of_pages.set(/; Path=([^;]+)/.exec(set)![1]!, cookie);
      }
      return answer;
    },
    async follow(path, fields) {
      const { status, headers } = await browser.post(path, fields);
      if (status !== 303) throw new Error(`${path} answered with ${status}`);
      return browser.get(headers.get("location")!.slice(origin.length));
    },
  };
  return browser;
}

/** A browser that has signed in. */
export async function signedIn(
  url: string,
  holder: { name: string; key: string },
  origin?: string,
): Promise<Browser> {
  const browser = newBrowser(url, origin);
  const answer = await browser.post("/signin", { name: holder.name, key: holder.key });
  if (answer.status !== 303) throw new Error(`Signing in failed: ${answer.status} ${answer.body}`);
  return browser;
}
