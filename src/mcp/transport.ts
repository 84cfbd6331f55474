/**
 * The MCP transport: Streamable HTTP for both eras of the protocol at one address. Revision 2026-07-28 and calls without a
 * handshake need no session; a handshake of 2025-11-25 or older begins a session that survives a restart.
 */

import { ServiceError } from "../core/errors.ts";
import { mcp_limits } from "./limits.ts";
import { text_withdrawn, type Topics } from "../core/topics.ts";
import type { Sessions } from "./sessions/sessions.ts";
import type { RateLimiter } from "../core/rate_limit/rate_limit.ts";
import { whenReady, type Ready } from "../core/ready.ts";
import { sendJson } from "../web/responses.ts";
import { event_stream_type } from "../web/sse/format.ts";
import { readJson } from "../web/body.ts";
import { opensMcpPage } from "../web/mcp_pages.ts";
import { answerWithProgress, progressTokenIn } from "./progress.ts";
import type { ErrorBoundary } from "./error_boundary.ts";
import {
  badRequest,
  checkBatch,
  checkLengths,
  isToolCall,
  keysBelong,
  refuseKeysInHeaders,
  sessionIdIn,
} from "./request_rules.ts";
import { RpcFailure, rpc_codes, textParam, UnknownSession } from "./errors.ts";
import { Listeners } from "./subscriptions/listen.ts";
import { StoredEvents } from "./sessions/event_store.ts";
import { LiveSessions } from "./sessions/session_cache.ts";
import { createSdkServers } from "./sdk.ts";
import { asText, type Readers } from "./subscriptions/followed.ts";
import type { EndpointAt, Methods, Place, RpcRequest } from "./types.ts";
import {
  answerResponse,
  failureResponse,
  isRequest,
  ordinaryEra,
  protocolHeaders,
  type ProtocolHeaders,
} from "./protocol.ts";
import type { LiveSession } from "./sessions/session.ts";
import type { Runtime } from "../core/runtime.ts";

/** A request with a message, and the session to which it belongs. */
interface Posted {
  request: Request;
  sent: ProtocolHeaders;
  place: Place;
  session: LiveSession | null;
}

export interface McpTransportDeps extends Runtime {
  sessions: Sessions;
  topics: Topics;
  limiter: RateLimiter;
  errors: ErrorBoundary;
  endpointAt: EndpointAt;
  readers: Readers;
  /** The page for a browser that opens an MCP address. */
  page(request: Request, place: Place): Promise<Response>;
}

export type McpTransport = ReturnType<typeof createMcpTransport>;

export function createMcpTransport(deps: McpTransportDeps) {
  const { sessions, topics, limiter, clock, random, log, errors, endpointAt, readers, page } = deps;
  const servers = createSdkServers(endpointAt, log);
  const listeners = new Listeners(topics, clock);
  const live = new LiveSessions(sessions, {
    ...servers,
    sessions,
    now: () => clock.now(),
    endpointAt,
    methodsOf: (session) => errors.methods(subscribingIn(session)),
    readers,
    topics,
    events: new StoredEvents(),
    newMark: () => random.bytes(8).toHex(),
  });

  async function fetch(request: Request, place: Place): Promise<Response> {
    try {
      const sent = protocolHeaders(request.headers);
      refuseKeysInHeaders(sent);
      const message = request.method === "POST" ? await readJson(request, keysBelong) : null;
      // A tool also takes a credential in its arguments, and returns a wrong one as its result.
      const may_read = isToolCall(message) || (await place.mayRead());
      const id = sessionIdIn(sent);
      // A visitor has no session.
      if (id !== null && !may_read) throw new UnknownSession();
      const session = id === null ? null : await sessionWith(id, place);
      switch (request.method) {
        case "POST": {
          const answer = post({ request, sent, place, session }, message);
          return answer instanceof Promise ? await answer : answer;
        }
        case "GET":
          return await get(request, place, session);
        case "DELETE":
          return await end(place, session);
        default:
          throw noSuchMethod("This address takes GET, POST and DELETE.");
      }
    } catch (error) {
      return errors.request(place, error);
    }
  }

  function post(posted: Posted, message: unknown): Ready<Response> {
    const { request, sent, place, session } = posted;
    if (Array.isArray(message)) checkBatch(message, sent, session?.record.handshake.protocolVersion);
    checkLengths(message);
    const plain = isRequest(message) ? answerPlainly(posted, message) : null;
    return plain ?? answerBySdk(request, place, message, session);
  }

  async function answerBySdk(
    request: Request,
    place: Place,
    message: unknown,
    session: LiveSession | null,
  ): Promise<Response> {
    if (isRequest(message)) {
      if (message.method === "initialize" && !session) return begin(request, place, message);
      if (message.method === listening && !session) {
        return (await servers.refusal(request, place, message)) ?? listen(message, place);
      }
    }
    if (!session) return servers.standAlone(request, place, message);
    const once = random.bytes(16).toHex();
    const call = isRequest(message) ? await endpointAt(place.address).repeatable(message, place, once) : null;
    return servers.inForm(request, place, (accepting) => session.post(accepting, call ?? message, call));
  }

  /** Answers an ordinary request without a server of the SDK; null if the SDK has to answer it. */
  function answerPlainly(
    { request, sent, place, session }: Posted,
    message: RpcRequest,
  ): Ready<Response> | null {
    const era = ordinaryEra(sent, message);
    if (!era) return null;
    const endpoint = endpointAt(place.address);
    const waits_with_progress =
      !session &&
      progressTokenIn(message.params ?? {}) !== null &&
      place.takes_streams &&
      endpoint.waits(message);
    if (waits_with_progress) return answerWithProgress(request.signal, place, message, endpoint, era);
    const is_subscribing = era === "handshake" && subscribing.has(message.method);
    if (era === "modern" && message.method === listening) return listen(message, place);
    const answered = is_subscribing
      ? errors.method(place, () => subscribe(message, place, session))
      : endpoint.answer(message, { place, signal: () => request.signal, may_wait: !session });
    return (
      answered &&
      whenReady(answered, (result) => {
        if (result instanceof UnknownSession) throw result;
        return answerResponse(era, endpoint, message, result);
      })
    );
  }

  async function listen(message: RpcRequest, place: Place): Promise<Response> {
    const opened = await errors.method(place, async () => {
      const caller = await place.caller();
      limiter.take(caller, "session", "");
      return listeners.open(message, caller, place, endpointAt(place.address));
    });
    return opened instanceof RpcFailure ? failureResponse(opened, message.id) : opened;
  }

  /** Subscribes to a resource, or unsubscribes. Only a session has a stream for notifications. */
  async function subscribe(
    { method, params = {} }: Pick<RpcRequest, "method" | "params">,
    place: Place,
    session: LiveSession | null,
  ): Promise<object> {
    const caller = await place.caller();
    if (!session) throw new RpcFailure(rpc_codes.invalid_request, needs_session);
    const uri = textParam(params, "uri");
    const ends = method === "resources/unsubscribe";
    const endpoint = endpointAt(place.address);
    const followed = ends ? null : await endpoint.follow(uri, place);
    await live.follow(caller, session.record.id, uri, followed && asText(followed));
    // A removal before the session followed the resource has not ended the subscription.
    if (followed?.reader) await endpoint.follow(uri, place).catch((error: unknown) => unfollow(error));
    return {};

    async function unfollow(error: unknown): Promise<never> {
      await live.follow(caller, session!.record.id, uri, null);
      throw error;
    }
  }

  /** The same as methods, for the server that answers the batches of a session. */
  const subscribingIn = (session: LiveSession): Methods =>
    Object.fromEntries(
      Array.from(subscribing, (method) => [
        method,
        { run: (params, { place }) => subscribe({ method, params }, place, session) },
      ]),
    );

  /** Answers a handshake. If no session can be stored, the client gets none, and its calls need none. */
  async function begin(request: Request, place: Place, message: RpcRequest): Promise<Response> {
    const response = await servers.standAlone(request, place, message, "json");
    // The client has left: nobody reads an answer.
    if (!response.body) return response;
    const answer = (await response.json()) as { result?: object };
    const id = answer.result && (await newSession(place, message.params ?? {}));
    return sendJson(answer, response.status, null, id ? { "mcp-session-id": id } : {});
  }

  async function newSession(place: Place, params: Record<string, unknown>): Promise<string | null> {
    if (!(await place.mayRead())) return null;
    const { protocolVersion, capabilities, clientInfo } = params;
    const handshake = { protocolVersion, capabilities, clientInfo };
    if (JSON.stringify(handshake).length > mcp_limits.mcp_handshake_chars_max) return null;
    try {
      return await sessions.begin(await place.caller(), place.address, handshake);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      log.warn("mcp.session_not_kept", { request_id: place.request_id, code: error.code });
      return null;
    }
  }

  async function get(request: Request, place: Place, session: LiveSession | null): Promise<Response> {
    if (session) {
      place.keepOpen();
      return session.stream(request, place, (call) => repeat(request, place, session, call));
    }
    if (opensMcpPage(request)) return page(request, place);
    throw noSuchMethod(
      `There is a stream in a session only: send initialize first. What there is: ${place.base}/mcp.md`,
    );
  }

  /** Makes the call of a client again that resumes its stream. */
  function repeat(request: Request, place: Place, session: LiveSession, call: RpcRequest): Promise<Response> {
    const headers = new Headers(request.headers);
    headers.set("accept", `application/json, ${event_stream_type}`);
    headers.set("content-type", "application/json");
    const posted = new Request(request.url, { method: "POST", headers, signal: request.signal });
    return servers.inForm(posted, place.takingStreams(), (accepting) => session.post(accepting, call, call));
  }

  async function end(place: Place, session: LiveSession | null): Promise<Response> {
    if (!session) throw badRequest("Name the session to end in the header Mcp-Session-Id.");
    await live.end(await place.caller(), session.record.id);
    return new Response(null, { status: 204 });
  }

  /** The session with this id. Throws UnknownSession. */
  async function sessionWith(id: string, place: Place): Promise<LiveSession> {
    const session = await live.find(id, place.address);
    if (session) return session;
    throw new UnknownSession();
  }

  return {
    /** Answers any request at an MCP address. Never throws. */
    fetch,

    /** Notes a publication of `topic`: what is stored of sessions has to follow it. Null: anything may have changed. */
    changed(topic: string | null): Promise<unknown> | void {
      if (topic === null || topic === text_withdrawn) live.forgetAnswers();
      return live.changed(topic);
    },

    /** Ends every stream, once the calls in progress have been answered. */
    close(): void {
      listeners.close();
      live.close();
      servers.close();
    },
  };
}

const listening = "subscriptions/listen";
const subscribing = new Set(["resources/subscribe", "resources/unsubscribe"]);
const needs_session =
  "Only a session can be told of changes: begin one with initialize and send its Mcp-Session-Id, or use a tool that waits.";

const noSuchMethod = (message: string): RpcFailure =>
  new RpcFailure(rpc_codes.no_such_method, message, undefined, {
    status: 405,
    headers: { allow: "GET, POST, DELETE" },
  });
