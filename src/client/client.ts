/** A typed client of the HTTP API. It needs nothing but `fetch`: Bun, Node, Deno and browsers can run it. */

import { eventData, readAnswer, UnexpectedAnswer, type AnyResult } from "./answers.ts";
import type { As, Follow, Method, Send } from "./calls.ts";
import { eventsIn } from "./events.ts";
import { fetchWithin, type Fetch } from "./redirects.ts";
import { keyed_paths, type Schemas } from "./schema.ts";

export { UnexpectedAnswer } from "./answers.ts";
export type { Result } from "./calls.ts";
export type { Operations, Problems, Schemas } from "./schema.ts";

export interface ClientOptions {
  /** The address of the service, with the path below which it is mounted if there is one. */
  url: string;
  /** The key of a claimed name, or an admin's token. */
  key?: string;
  /** The claimed name. The key alone is enough. */
  name?: string;
  /** Sent with every call. */
  headers?: Record<string, string>;
  /** Replaces the global `fetch`. */
  fetch?: Fetch;
  /** How often a call is repeated at most (2). */
  retries?: number;
  /** The longest Retry-After that a call waits for, in seconds (30). */
  retry_after_seconds_max?: number;
}

export interface Client {
  get: Send<"GET">;
  post: Send<"POST">;
  put: Send<"PUT">;
  delete: Send<"DELETE">;
  /**
   * The events of a stream. If the connection is lost, the client connects again and resumes after the last event, until the
   * stream ends, the loop is left, or `signal` aborts. Throws a `WharfProblem` if the service refuses the stream.
   */
  follow: Follow;
}

type Problem = Schemas["Problem"];

/** A problem, thrown by `orThrow` and `follow`. */
export class WharfProblem extends Error {
  override name = "WharfProblem";
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.problem = problem;
  }
}

/** The data of a result. Throws a `WharfProblem` if the result is a problem. */
export async function orThrow<R extends { data?: unknown; error?: Problem | undefined }>(
  call: Promise<R>,
): Promise<Extract<R, { error?: undefined }>["data"]> {
  const { data, error } = await call;
  if (error) throw new WharfProblem(error);
  return data;
}

/** The options of a call, for every operation. */
interface AnyOptions {
  path?: Record<string, string | number>;
  query?: Record<string, unknown>;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
  as?: As;
}

/** The headers of a name and its key. A header has ASCII only: other names are percent-encoded UTF-8. */
export const pairOf = (name: string, key: string): { "x-wf-name": string; "x-wf-key": string } => ({
  "x-wf-name": /^[ -~]*$/.test(name) ? name : encodeURIComponent(name),
  "x-wf-key": key,
});

/** Creates a client. Calls return data or a problem. They throw if there is no answer, and an `UnexpectedAnswer` if it is not one of this API. */
export function createClient(client: ClientOptions): Client {
  const { url, name, key, retries = 2, retry_after_seconds_max = 30, fetch = globalThis.fetch } = client;
  const base = url.replace(/\/+$/, "");
  const credential: Record<string, string> =
    key === undefined ? {} : name === undefined ? { authorization: `Bearer ${key}` } : pairOf(name, key);
  const headersOf = ({ headers }: AnyOptions) =>
    new Headers({ ...credential, ...client.headers, ...headers });
  /** How long to wait before the call is sent again; null if it would be refused again, nobody knows, or the caller does not wait so long. */
  function secondsBeforeNext({ error, headers }: AnyResult): number | null {
    const given = headers.get("retry-after");
    if (!error?.retryable || given === null) return null;
    const seconds = Number(given);
    return seconds <= retry_after_seconds_max ? seconds : null;
  }
  const addressOf = (path: string, { path: parts = {}, query = {} }: AnyOptions) =>
    base +
    path.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(parts[part]!)) +
    queryText(query);

  /** Sends a request once and reads the answer. */
  async function once(
    method: Method,
    path: string,
    headers: Headers,
    options: AnyOptions,
  ): Promise<AnyResult> {
    const { body, query = {}, signal, as } = options;
    const address = addressOf(path, options);
    const response = await fetchWithin(fetch, base, address, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const operation = `${method} ${path}`;
    return readAnswer(response, { operation, call: `${method} ${address}`, query, headers, as });
  }

  async function send(method: Method, path: string, options: AnyOptions = {}): Promise<AnyResult> {
    const headers = headersOf(options);
    if (options.body !== undefined) headers.set("content-type", "application/json");
    const is_keyed = method === "POST" && keyed_paths.includes(path);
    if (is_keyed && retries > 0 && !headers.has("idempotency-key")) {
      headers.set("idempotency-key", crypto.randomUUID());
    }
    const attempts = method === "GET" || is_keyed ? retries + 1 : 1;
    for (let attempt = 1; ; attempt++) {
      const is_last = attempt === attempts;
      const result = await once(method, path, headers, options).catch((error: unknown) => {
        if (is_last || isFinal(error) || options.signal?.aborted) throw error;
      });
      const seconds = result ? secondsBeforeNext(result) : attempt / 2;
      if (result && (is_last || seconds === null)) return result;
      await pause(seconds ?? 0, options.signal);
    }
  }

  async function* follow(path: string, options: AnyOptions = {}) {
    const { signal } = options;
    const headers = headersOf(options);
    headers.set("accept", "text/event-stream");
    /** Before the first connection, as for other calls. Later, until the caller ends it. */
    let attempts = retries;
    let reconnect_ms = 1000;
    for (;;) {
      const given = { ...options, as: "stream" as const };
      const result = await once("GET", path, headers, given).catch((error: unknown) => {
        if (attempts-- <= 0 || (attempts < Infinity && isFinal(error)) || signal?.aborted) throw error;
      });
      if (result?.status === 204) return;
      if (result?.error) {
        const seconds = secondsBeforeNext(result);
        if (attempts-- <= 0 || seconds === null) throw new WharfProblem(result.error);
        await pause(seconds, signal);
        continue;
      }
      if (result) {
        attempts = Infinity;
        const events = eventsIn(result.data as ReadableStream<Uint8Array>);
        try {
          for (;;) {
            const { value } = await events.next().catch(() => ({ value: undefined }));
            signal?.throwIfAborted();
            if (!value) break;
            const { id, event, data, retry_ms } = value;
            if (id) headers.set("last-event-id", id);
            reconnect_ms = retry_ms ?? reconnect_ms;
            const known = eventData(event, data, `GET ${addressOf(path, options)}`);
            if (known === undefined) continue;
            yield { id, event, data: known };
            // The service ends the stream of a closed room.
            if (event === "closed") return;
          }
        } finally {
          await events.return(undefined);
        }
      }
      await pause(reconnect_ms / 1000, signal);
    }
  }

  const sender = (method: Method) => (path: string, options?: AnyOptions) => send(method, path, options);
  return {
    get: sender("GET"),
    post: sender("POST"),
    put: sender("PUT"),
    delete: sender("DELETE"),
    follow,
  } as unknown as Client;
}

/** A query as text. A list repeats its parameter; what is undefined is left out. */
function queryText(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((item) => (item === undefined ? [] : [[name, String(item)]])),
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

/** Whether a further attempt would get the same answer. An unexpected answer from 500 on comes from a proxy, while the service is away. */
const isFinal = (error: unknown): boolean => error instanceof UnexpectedAnswer && error.status < 500;

/** A timer for a longer time ends at once. */
const timer_ms_max = 2 ** 31 - 1;

/** Resolves after some seconds. Rejects when `signal` aborts. */
function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(seconds * 1000, timer_ms_max),
    );
    signal?.addEventListener("abort", stop, { once: true });
  });
}
