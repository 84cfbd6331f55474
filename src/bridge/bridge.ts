/**
 * The bridge between a client that speaks MCP over standard input and output, and a service that speaks it over HTTP. It passes messages of
 * every revision on as they are. While the service is away it waits for it: each request is answered once, and done once.
 */

import { errorText } from "../core/log.ts";
import { rpc_codes } from "../mcp/errors.ts";
import { isObject } from "../mcp/protocol.ts";
import { Channel } from "./channel.ts";
import { withChannel } from "./channel_message.ts";
import { Delivery } from "./delivery.ts";
import { bridge_limits } from "./limits.ts";
import { listen } from "./listening.ts";
import {
  failure,
  isRequest,
  paramsOf,
  Refused,
  revisionOf,
  type Answer,
  type Message,
  type Request,
} from "./messages.ts";
import { Repeatable } from "./once.ts";
import type { BridgeDeps } from "./deps.ts";
import { Session } from "./session.ts";
import { Wire } from "./wire.ts";

interface Bridge {
  /** Takes a line from the client: a message, or a batch of them. Returns at once. Ignores what comes after the end. */
  receive(line: string): void;
  /** Ends: gives calls in progress a moment to be answered, until `is_late` resolves, then ends the session. */
  end(is_late?: Promise<void>): Promise<void>;
}

/** A request of the client that is not answered yet. */
interface OpenRequest {
  controller: AbortController;
  done: Promise<void>;
  /** The id that the service knows it by; undefined if it has no session. */
  sent_id?: number;
}

export function createBridge(deps: BridgeDeps): Bridge {
  const ended = new AbortController();
  const wire = new Wire(deps);
  const session = new Session(wire, deps, ended.signal);
  const delivery = new Delivery(wire, session, deps);
  const repeatable = new Repeatable(delivery, wire, deps, ended.signal);
  const channel = deps.channel ? new Channel(deps, deps.channel, ended.signal) : null;
  const open = new Map<unknown, OpenRequest>();

  const reply = (id: string | number | null, answer: Answer) => deps.write({ jsonrpc: "2.0", id, ...answer });

  function receiveMessage(message: unknown): void {
    if (!isObject(message)) reply(null, failure(rpc_codes.invalid_request, "A message must be an object."));
    else if (isRequest(message)) start(message);
    else if (message.method === "notifications/cancelled") cancel(message);
    else void pass(message);
  }

  function start(request: Request): void {
    const { id } = request;
    if (open.has(id)) {
      return reply(
        id,
        failure(rpc_codes.invalid_request, "A request with this id is open: take another id."),
      );
    }
    const entry: OpenRequest = { controller: new AbortController(), done: Promise.resolve() };
    open.set(id, entry);
    entry.done = run(request, entry);
  }

  async function run(request: Request, entry: OpenRequest): Promise<void> {
    const { id, method } = request;
    channel?.requestBegan(method);
    const answer = await answerTo(request, entry).catch((error: unknown): Answer => {
      if (error instanceof Refused) return error.answer;
      if (!entry.controller.signal.aborted) deps.note(errorText(error));
      return failure(rpc_codes.internal, "The bridge failed. Its standard error says why.");
    });
    channel?.requestEnded();
    // A cancelled request has no answer.
    if (open.get(id) !== entry) return;
    open.delete(id);
    reply(id, answer);
  }

  async function answerTo(request: Request, entry: OpenRequest): Promise<Answer> {
    const { signal } = entry.controller;
    const revision = revisionOf(request);
    const { method } = request;
    // Revisions without a handshake have no path for the messages of a channel: such a client falls back to a handshake.
    if (channel && method === "server/discover") {
      return failure(rpc_codes.method_not_found, "A server with a channel begins with initialize.");
    }
    if (revision !== null && method === "subscriptions/listen") {
      return listen(request, revision, wire, deps, signal);
    }
    const sent = (id: number) => void (revision === null && (entry.sent_id = id));
    const made = method === "tools/call" ? await repeatable.of(request) : request;
    const { answer, session_id } = await delivery.deliver(made, signal, sent);
    if (method === "initialize") {
      session.begun(request, answer, session_id);
      return channel ? withChannel(answer) : answer;
    }
    if (revision === null) session.answered(request, answer);
    return answer;
  }

  /** Ends a request that the client has cancelled. Without a session, the end of its connection cancels it at the service. */
  function cancel(message: Message): void {
    const params = paramsOf(message);
    const entry = open.get(params.requestId);
    if (!entry) return;
    open.delete(params.requestId);
    entry.controller.abort();
    const { sent_id } = entry;
    if (sent_id !== undefined) void pass({ ...message, params: { ...params, requestId: sent_id } });
  }

  /** Passes on a message that has no answer. */
  async function pass(message: Message): Promise<void> {
    const is_initialized = message.method === "notifications/initialized";
    if (is_initialized) channel?.begin();
    try {
      await delivery.deliver(message, ended.signal);
      if (is_initialized) await session.stream();
    } catch (error) {
      if (!ended.signal.aborted) deps.note(errorText(error));
    }
  }

  return {
    receive(line) {
      if (ended.signal.aborted || line.trim() === "") return;
      let parsed: unknown;
      try {
        parsed = JSON.parse(line);
      } catch {
        return reply(null, failure(rpc_codes.parse_error, "A line must be one JSON-RPC message."));
      }
      // The messages of a batch (2025-03-26) are answered one by one.
      for (const message of Array.isArray(parsed) ? (parsed as unknown[]) : [parsed]) receiveMessage(message);
    },

    async end(is_late = Bun.sleep(bridge_limits.last_answers_ms_max)) {
      const answered = Promise.all(Array.from(open.values(), ({ done }) => done));
      await Promise.race([answered, is_late]);
      const left = [...open.values()];
      open.clear();
      for (const { controller } of left) controller.abort();
      ended.abort();
      channel?.end();
      await session.end();
    },
  };
}
