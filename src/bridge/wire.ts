/** Requests to the MCP address of the service, and the messages in its responses. */

import { eventsIn } from "../client/events.ts";
import { messageOf } from "../core/log.ts";
import { rpc_codes } from "../mcp/errors.ts";
import { isObject } from "../mcp/protocol.ts";
import { event_stream_type } from "../web/sse/format.ts";
import { bridge_limits } from "./limits.ts";
import { failure, type Answer, type Message } from "./messages.ts";
import type { BridgeDeps, Place } from "./deps.ts";
import { Silence } from "./silence.ts";

interface WireRequest {
  method: "POST" | "GET" | "DELETE";
  headers: Record<string, string>;
  message?: Message;
}

export interface WireResponse {
  /** The session that began with this response. */
  session_id: string | null;
  /** Why the request was refused as a whole; null if it was not. */
  refusal: Answer | null;
  /** Whether it was refused because its session has ended. */
  is_session_unknown: boolean;
  /**
   * The messages of the response. `id`: the position in the stream, empty if there is none. `message` is null for an event that
   * only has a position. Throws `Unreachable` if the connection is lost.
   */
  events: AsyncGenerator<{ id: string; message: Message | null }, void>;
}

/** The service did not answer, or its connection was lost. The message is for the user. */
export class Unreachable extends Error {}

/** Statuses with which proxies say that the service behind them does not answer. */
const away_statuses = new Set([502, 503, 504]);

export class Wire {
  readonly #deps: Pick<BridgeDeps, "finder" | "clock" | "note">;
  #is_away = false;
  /** How often the service was away. What it said before may not hold for the one that is there now. */
  outages = 0;

  constructor(deps: BridgeDeps) {
    this.#deps = deps;
  }

  /** Sends one request. Throws `Unreachable`; the reason of `signal` if it aborts. */
  async send(request: WireRequest, signal: AbortSignal): Promise<WireResponse> {
    const { finder, clock } = this.#deps;
    const place = await finder.find().catch((error: unknown) => {
      throw this.#away(messageOf(error));
    });
    const silence = new Silence(clock, signal);
    const lost = (error: unknown): unknown => {
      silence.stop();
      if (signal.aborted) return signal.reason;
      finder.lost(place);
      return error instanceof Unreachable ? error : this.#away(reasonOf(place, error));
    };
    try {
      silence.allow(bridge_limits.silent_call_seconds_max);
      const response = await fetch(place.url, optionsOf(place, request, silence.signal));
      const is_stream = response.headers.get("content-type")?.startsWith(event_stream_type) ?? false;
      if (response.ok && is_stream && response.body) {
        silence.allow(bridge_limits.silent_stream_seconds_max);
        this.#answered();
        return accepted(response, streamed(response.body.pipeThrough(silence.watch()), lost, silence));
      }
      const text = await response.text();
      silence.stop();
      const body = parsed(text);
      if (away_statuses.has(response.status) && body === null) {
        throw this.#away(`${place.url} answers ${response.status}.`);
      }
      this.#answered();
      if (response.ok && (body !== null || text === "")) return accepted(response, at_once(body));
      return refused(place, response, body);
    } catch (error) {
      throw lost(error);
    }
  }

  #away(reason: string): Unreachable {
    if (!this.#is_away) {
      this.#is_away = true;
      this.outages++;
      this.#deps.note(`${reason} Trying again.`);
    }
    return new Unreachable(reason);
  }

  #answered(): void {
    if (!this.#is_away) return;
    this.#is_away = false;
    this.#deps.note("The service answers again.");
  }
}

const optionsOf = (place: Place, { method, headers, message }: WireRequest, signal: AbortSignal) => ({
  ...place.options,
  method,
  headers: {
    accept: method === "GET" ? event_stream_type : `application/json, ${event_stream_type}`,
    ...(message && { "content-type": "application/json" }),
    ...headers,
    ...place.headers,
  },
  ...(message && { body: JSON.stringify(message) }),
  signal,
  // A redirected POST could arrive as a GET, and its key elsewhere.
  redirect: "manual" as const,
  // Bun's own limit of 5 minutes would cut streams.
  timeout: false,
});

const accepted = ({ headers }: Response, events: WireResponse["events"]): WireResponse => ({
  session_id: headers.get("mcp-session-id"),
  refusal: null,
  is_session_unknown: false,
  events,
});

function refused(place: Place, response: Response, body: unknown): WireResponse {
  const refusal = refusalIn(body) ?? failure(rpc_codes.internal, strange(place, response));
  const is_session_unknown =
    response.status === 404 && "error" in refusal && refusal.error.code === rpc_codes.session_not_found;
  return { ...accepted(response, at_once(null)), refusal, is_session_unknown };
}

/** The reason in the body of a refusal: a JSON-RPC error, or a problem. */
function refusalIn(body: unknown): Answer | null {
  if (!isObject(body)) return null;
  const { error, code, detail, hint = "" } = body;
  if (isObject(error)) return { error: error as { code: number; message: string } };
  if (typeof detail !== "string") return null;
  return failure(rpc_codes.invalid_request, `Refused (${String(code)}): ${detail} ${String(hint)}`.trim());
}

const strange = ({ url }: Place, { status, headers }: Response): string => {
  const location = headers.get("location");
  return `${url} answers ${status}${location === null ? "" : `, and names ${location}`}. Is a Wharf service there?`;
};

const reasonOf = ({ url }: Place, error: unknown): string => {
  const { code } = error as { code?: unknown };
  return `${url} cannot be reached (${typeof code === "string" ? code : messageOf(error)}).`;
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

async function* at_once(body: unknown): WireResponse["events"] {
  for (const message of [body].flat()) if (isObject(message)) yield { id: "", message };
}

async function* streamed(
  body: ReadableStream<Uint8Array>,
  lost: (error: unknown) => unknown,
  silence: Silence,
): WireResponse["events"] {
  try {
    for await (const { id, data } of eventsIn(body)) {
      const message = parsed(data);
      yield { id, message: isObject(message) ? message : null };
    }
  } catch (error) {
    throw lost(error);
  } finally {
    silence.stop();
  }
}
