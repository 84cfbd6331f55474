/**
 * The one way by which the service calls an address that a stranger named.
 *
 * A name is resolved for each request, every address of it is checked, and the connection goes to a checked address: a name
 * that resolves differently a moment later leads nowhere else. Certificates are verified against the name, by the
 * authorities that Bun trusts; an operator adds one with `NODE_EXTRA_CA_CERTS` or replaces all with `SSL_CERT_FILE`, which
 * work for the executable, too. `NODE_TLS_REJECT_UNAUTHORIZED` and `HTTPS_PROXY` have no effect here: a proxy would
 * resolve the name again.
 */

import { callableAddresses, type CallableAddress } from "./callable_addresses.ts";
import { ipVersion } from "./ip_address.ts";

/** Why a request failed. Callers learn no more than this about the network of the service. */
export type FetchFault =
  /** Not an absolute http or https URL, or one with credentials, a fragment or port 0. */
  | "invalid_address"
  | "not_https"
  | "no_such_host"
  /** An address of the host is neither public nor allowed by the operator. */
  | "not_public"
  | "unreachable"
  | "tls"
  | "timeout"
  | "redirect"
  | "too_large"
  /** Not HTTP. */
  | "invalid_answer"
  /** The caller of the function has ended the request. */
  | "ended";

export class FetchFailure extends Error {
  override name = "FetchFailure";

  constructor(readonly fault: FetchFault) {
    super(fault);
  }
}

export interface GuardedRequest {
  /** GET if absent. */
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  /**
   * `whole` (if absent): a longer body than `answer_bytes_max` is a failure. `discarded`: the body does not matter, only that it was sent.
   */
  answer?: "whole" | "discarded";
  /** Reading ends there. */
  answer_bytes_max: number;
  /** For the whole request: name, connection, answer. */
  timeout_seconds: number;
  /** Ends the request. */
  signal?: AbortSignal;
}

interface GuardedAnswer {
  /** From 200 to 599, never of a redirect. */
  status: number;
  headers: Headers;
  /** As it was sent: an answer that is compressed although the request accepts none stays so. Empty if it is discarded. */
  body: Uint8Array;
}

/** Throws a `FetchFailure`. */
export type GuardedFetch = (url: string, request: GuardedRequest) => Promise<GuardedAnswer>;

export interface GuardOptions {
  /** CIDR blocks of addresses that are not public and may be called anyway, also with http. */
  allow: readonly string[];
  /** The IP addresses of a host name. Throws if it has none. */
  lookup?: (host: string) => Promise<readonly string[]>;
}

/** Addresses of a host that are tried while they refuse connections. */
const attempts_max = 4;

const systemLookup = async (host: string): Promise<string[]> =>
  (await Bun.dns.lookup(host)).map(({ address }) => address);

/** Returns a function that finds the addresses of a URL's host, in the order in which the system would try them (RFC 6724). */
function createAddressSearch({ allow, lookup = systemLookup }: GuardOptions) {
  const check = callableAddresses(allow);

  async function resolved(host: string): Promise<readonly string[]> {
    const found = await lookup(host).catch(() => []);
    if (found.length === 0) throw new FetchFailure("no_such_host");
    return found;
  }

  return async ({ protocol, hostname }: URL): Promise<string[]> => {
    if (protocol !== "https:" && allow.length === 0) throw new FetchFailure("not_https");
    const host = hostname.replace(/^\[|\]$/g, "");
    const found = ipVersion(host) === 0 ? await resolved(host) : [host];
    const checked = found.map(check).filter((one): one is CallableAddress => one !== null);
    if (checked.length < found.length) throw new FetchFailure("not_public");
    if (protocol !== "https:" && !checked.every(({ is_allowed }) => is_allowed))
      throw new FetchFailure("not_https");
    return checked.map(({ address }) => address);
  };
}

/** Returns a function that says why a request to a URL would be refused before a connection; null if it would not be. */
export function createAddressCheck(
  options: GuardOptions,
): (url: string, timeout_seconds: number) => Promise<FetchFault | null> {
  const addressesOf = createAddressSearch(options);
  return async (text, timeout_seconds) => {
    const late = AbortSignal.timeout(timeout_seconds * 1000);
    try {
      await beforeAbort(late, addressesOf(validUrl(text)));
      return null;
    } catch (error) {
      return failureOf(error, late).fault;
    }
  };
}

export function createGuardedFetch(options: GuardOptions): GuardedFetch {
  const addressesOf = createAddressSearch(options);
  return async (text, request) => {
    const url = validUrl(text);
    const late = AbortSignal.timeout(request.timeout_seconds * 1000);
    const ended = new AbortController();
    try {
      const given = request.signal ? [request.signal] : [];
      const signal = AbortSignal.any([late, ended.signal, ...given]);
      signal.throwIfAborted();
      const addresses = await beforeAbort(signal, addressesOf(url));
      return await answerOf(await firstResponse(url, addresses, request, signal), request);
    } catch (error) {
      if (request.signal?.aborted) throw new FetchFailure("ended");
      throw failureOf(error, late);
    } finally {
      // Closes the connection of an answer that was not read to its end.
      ended.abort();
    }
  };
}

/** An authority without credentials, and no fragment. */
const plain_url = /^https?:\/\/[^/?#@]+(?:[/?][^#]*)?$/i;
/** An address in its canonical form, or labels without the dot of the root. */
const plain_host = /^(?:\[[\da-f:]+\]|[\da-z_-]+(?:\.[\da-z_-]+)*)$/;

/** Throws unless `text` spells a URL without anything that a parser drops, or that another one could read differently. */
function validUrl(text: string): URL {
  const url = plain_url.test(text) && !/[\s\\\p{Cc}]/u.test(text) ? URL.parse(text) : null;
  if (url === null || url.port === "0" || !plain_host.test(url.hostname))
    throw new FetchFailure("invalid_address");
  return url;
}

/** The result of `job`; throws once `signal` is aborted. */
function beforeAbort<Result>(signal: AbortSignal, job: Promise<Result>): Promise<Result> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([job, aborted]);
}

const unreachable = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|FailedToOpenSocket)$/;

/** The response of the first address that accepts a connection. Nothing was sent to the ones before it. */
async function firstResponse(url: URL, addresses: string[], request: GuardedRequest, signal: AbortSignal) {
  let failure: unknown;
  for (const address of addresses.slice(0, attempts_max)) {
    try {
      return await responseOf(url, address, request, signal);
    } catch (error) {
      if (!unreachable.test(codeOf(error))) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** The response at `address`, with the host of `url` in the Host header, in SNI, and in the certificate. */
function responseOf(url: URL, address: string, request: GuardedRequest, signal: AbortSignal) {
  const pinned = new URL(url);
  pinned.hostname = ipVersion(address) === 6 ? `[${address}]` : address;
  const is_name = ipVersion(url.hostname) === 0 && !url.hostname.startsWith("[");
  const headers = new Headers({ "user-agent": "wharf", ...request.headers });
  headers.set("accept-encoding", "identity");
  headers.set("host", url.host);
  return fetch(pinned, {
    method: request.method ?? "GET",
    headers,
    ...(request.body !== undefined && { body: request.body }),
    signal,
    redirect: "manual",
    decompress: false,
    proxy: false,
    // Requests to two names at one address must not share a connection, which was verified for one of them.
    keepalive: false,
    tls: { rejectUnauthorized: true, ...(is_name && { serverName: url.hostname }) },
  });
}

async function answerOf(
  response: Response,
  { answer, answer_bytes_max }: GuardedRequest,
): Promise<GuardedAnswer> {
  const { status, headers } = response;
  if (status >= 300 && status < 400) throw new FetchFailure("redirect");
  if (status < 200 || status > 599) throw new FetchFailure("invalid_answer");
  if (answer !== "discarded") return { status, headers, body: await bodyOf(response, answer_bytes_max) };
  // An answer that is too long, or that ends early, says as much as another: its status has come.
  await bodyOf(response, answer_bytes_max).catch(() => {});
  return { status, headers, body: new Uint8Array() };
}

async function bodyOf(response: Response, bytes_max: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > bytes_max) throw new FetchFailure("too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code);

function failureOf(error: unknown, late: AbortSignal): FetchFailure {
  if (error instanceof FetchFailure) return error;
  if (late.aborted) return new FetchFailure("timeout");
  const code = codeOf(error);
  if (unreachable.test(code) || /^E(?:CONN|TIMEDOUT|PIPE)/.test(code)) return new FetchFailure("unreachable");
  if (/CERT|SIGNATURE|TLS|SSL|ISSUER|EPROTO/.test(code)) return new FetchFailure("tls");
  return new FetchFailure("invalid_answer");
}
