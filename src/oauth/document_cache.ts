/** Documents at addresses that programs name, fetched at most as often as their headers and the limits allow. */

import type { Clock } from "../core/clock.ts";
import { FetchFailure, type FetchFault, type GuardedFetch } from "../core/guarded_fetch.ts";
import { networksOf } from "../core/rate_limit/caller_networks.ts";
import { oauth_limits } from "./limits.ts";

const {
  document_bytes_max,
  document_timeout_seconds,
  document_cached_seconds,
  documents_cached_max,
  document_fetches_max,
  document_fetches_per_host_max,
  document_fetches_per_caller_max,
} = oauth_limits;

interface DocumentCacheDeps {
  guardedFetch: GuardedFetch;
  clock: Pick<Clock, "monotonic">;
  /** Whether a document may be cached. One with a fault must not (draft-ietf-oauth-client-id-metadata-document-01, section 5.2). */
  isUsable(url: string, body: Uint8Array): boolean;
}

/** Clauses for a person. The same one for an unknown name and a private address: names of a private network are not for strangers. */
const fault_texts: Record<Exclude<FetchFault, "ended">, string> = {
  invalid_address: "its address is not a plain https address.",
  not_https: "its address does not begin with https.",
  no_such_host: "its host has no public address.",
  not_public: "its host has no public address.",
  unreachable: "its host cannot be reached.",
  tls: "the certificate of its host is not trusted here.",
  timeout: `no answer came within ${document_timeout_seconds} seconds.`,
  redirect: "its address redirects to another one.",
  too_large: `it is larger than ${document_bytes_max} bytes.`,
  invalid_answer: "its host did not answer with HTTP.",
};

const busy_text = "too many documents are being fetched now. Try again in a few seconds.";

interface Fetched {
  body: Uint8Array;
  seconds: number;
}

/** Returns a function that fetches the document at a URL, or has it cached. It rejects with a clause that says why not. */
export function createDocumentCache({ guardedFetch, clock, isUsable }: DocumentCacheDeps) {
  /** The least recently used one first. */
  const cached = new Map<string, { body: Uint8Array; until_ms: number }>();
  const under_way = new Map<string, { body: Promise<Uint8Array>; network: string }>();

  function known(url: string): Uint8Array | null {
    const found = cached.get(url);
    if (!found) return null;
    cached.delete(url);
    if (found.until_ms <= clock.monotonic()) return null;
    cached.set(url, found);
    return found.body;
  }

  function put(url: string, { body, seconds }: Fetched): void {
    cached.set(url, { body, until_ms: clock.monotonic() + seconds * 1000 });
    if (cached.size > documents_cached_max) cached.delete(cached.keys().next().value!);
  }

  async function fetched(url: string): Promise<Uint8Array> {
    try {
      const document = await fetchDocument(guardedFetch, url);
      if (isUsable(url, document.body)) put(url, document);
      return document.body;
    } finally {
      under_way.delete(url);
    }
  }

  function isBusy(url: string, network: string): boolean {
    if (under_way.size >= document_fetches_max) return true;
    const at_host = [...under_way.keys()].filter((other) => hostOf(other) === hostOf(url));
    const of_caller = [...under_way.values()].filter((other) => other.network === network);
    return (
      at_host.length >= document_fetches_per_host_max || of_caller.length >= document_fetches_per_caller_max
    );
  }

  /** `address`: that of the caller on whose behalf it is fetched. */
  return async (url: string, address: string): Promise<Uint8Array> => {
    const found = known(url) ?? under_way.get(url)?.body;
    if (found) return found;
    const network = networksOf(address).narrow;
    if (isBusy(url, network)) throw new Error(busy_text);
    const body = fetched(url);
    under_way.set(url, { body, network });
    return body;
  };
}

const hostOf = (url: string): string | undefined => URL.parse(url)?.hostname;

/** Section 5 of the draft: 200 and JSON, anything else is an error. */
async function fetchDocument(guardedFetch: GuardedFetch, url: string): Promise<Fetched> {
  const request = {
    headers: { accept: "application/json" },
    answer_bytes_max: document_bytes_max,
    timeout_seconds: document_timeout_seconds,
  };
  const { status, headers, body } = await guardedFetch(url, request).catch((error: unknown) => {
    throw error instanceof FetchFailure && error.fault !== "ended"
      ? new Error(fault_texts[error.fault])
      : error;
  });
  if (status !== 200) throw new Error(`its address answered with status ${status}.`);
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(headers.get("content-type") ?? ""))
    throw new Error("its type is not application/json.");
  return { body, seconds: secondsOf(headers) };
}

/** How long an answer may be cached by its headers (RFC 9111, section 4.2), within the bounds. */
function secondsOf(headers: Headers): number {
  const { min, default: none_given, max } = document_cached_seconds;
  const control = headers.get("cache-control") ?? "";
  if (/\bno-(?:store|cache)\b/i.test(control)) return min;
  const age = Number(/^\d{1,9}$/.exec(headers.get("age") ?? "")?.[0] ?? 0);
  const given = /(?:^|[\s,])max-age="?(\d{1,12})\b/i.exec(control)?.[1];
  return Math.min(Math.max(given === undefined ? none_given : Number(given) - age, min), max);
}
