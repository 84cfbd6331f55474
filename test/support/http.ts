/** Calls over real HTTP, as a client of the service makes them. Every answer is scanned for leaked secrets. */

import { watchAnswer } from "./canaries.ts";

export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body;
}

/** Ports of restarted services: `fetch` may have pooled connections to the process before, which are dead. */
const used_again = new Set<string>();

/** After this, every request to this port has a connection of its own. */
export const keepNoConnections = (port: number): void => void used_again.add(String(port));

/** `fetch` for tests: scans the answer for leaked secrets, unless it is a stream of events. */
export async function fetchWatched(url: string, init: RequestInit): Promise<Response> {
  const keepalive = !used_again.has(new URL(url).port);
  const response = await fetch(url, { ...init, redirect: "manual", keepalive });
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream")) return response;
  const { status, headers } = response;
  const bytes = await response.arrayBuffer();
  const text = new TextDecoder().decode(bytes);
  const body: unknown = /^application\/(?:\w+\+)?json$/.test(type) && text ? JSON.parse(text) : null;
  watchAnswer(init.method ?? "GET", url, headers, text, body);
  return new Response(bytes.byteLength > 0 ? bytes : null, { status, headers });
}

/** Sends a request. Returns the answer with its body as text. */
export async function send(
  method: string,
  url: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Answer<string>> {
  const response = await fetchWatched(url, { method, headers, ...(body !== undefined && { body }) });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** Sends JSON and reads JSON. */
export async function call<Body = Record<string, unknown>>(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<Body>> {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const answer = await send(
    method,
    url,
    { ...(json !== undefined && { "content-type": "application/json" }), ...headers },
    json,
  );
  return { ...answer, body: (answer.body ? JSON.parse(answer.body) : null) as Body };
}

export const get = <Body = Record<string, unknown>>(url: string, headers: Record<string, string> = {}) =>
  call<Body>("GET", url, undefined, headers);

export const post = <Body = Record<string, unknown>>(
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => call<Body>("POST", url, body, headers);

/** A problem without what differs between two requests: to compare it with another. */
export const withoutId = (problem: object): object => ({ ...problem, request_id: undefined });
