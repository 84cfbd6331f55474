/**
 * The MCP door: Streamable HTTP for both eras of the protocol at one address. Revision 2026-07-28 and calls without a
 * handshake stand alone; a handshake of 2025-11-25 or older begins a session that outlives a restart.
 */

import { ServiceError } from "../../errors.ts";
import { limits } from "../../limits.ts";
import type { Log } from "../../log.ts";
import type { Random } from "../../random.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { readJson } from "../body.ts";
import { problemHeaders, statusOf } from "../problems.ts";
import { LiveSessions } from "./live.ts";
import { createMachinery } from "./machinery.ts";
import type { LiveSession } from "./session.ts";
import { begun } from "./streams.ts";
import type { OfferAt, Place, RpcRequest } from "./offer.ts";
import {
  batch_version,
  errorResponse,
  isRequest,
  jsonResponse,
  modern_version,
  ordinaryEra,
  resultResponse,
} from "./plain.ts";

export interface McpDoorDeps {
  sessions: Sessions;
  random: Random;
  log: Log;
  offerAt: OfferAt;
  /** Whether a web page of this origin may call. */
  originAllowed(origin: string): boolean;
  /** What is answered to whoever opens an MCP address to read about it. */
  page(request: Request, place: Place): Promise<Response>;
}

export interface McpDoor {
  /** Answers any request at an MCP address. Never throws. */
  fetch(request: Request, place: Place): Promise<Response>;
  /** Ends every stream; a call that is under way is answered first. */
  close(): void;
}

export function createMcpDoor({ sessions, random, log, offerAt, originAllowed, page }: McpDoorDeps): McpDoor {
  const machinery = createMachinery(offerAt, log);
  const live = new LiveSessions(sessions, {
    ...machinery,
    offerAt,
    newMark: () => random.bytes(8).toHex(),
  });

  async function answer(request: Request, place: Place): Promise<Response> {
    const origin = request.headers.get("origin");
    if (origin !== null && !originAllowed(origin)) {
      throw new ServiceError("origin_refused", "A web page of this origin may not call here.");
    }
    switch (request.method) {
      case "POST":
        return post(request, place, await readJson(request));
      case "GET":
        return get(request, place);
      case "DELETE":
        return end(request, place);
      default:
        return errorResponse(405, -32000, "This address takes GET, POST and DELETE.", allow);
    }
  }

  async function post(request: Request, place: Place, message: unknown): Promise<Response> {
    const session = await sessionOf(request, place);
    const version =
      request.headers.get("mcp-protocol-version") ??
      session?.record.handshake.protocolVersion ??
      batch_version;
    if (Array.isArray(message) && String(version) > batch_version) {
      return errorResponse(400, -32600, "This revision has no batches: send one message a request.");
    }
    if (isRequest(message)) {
      const plain = await answerPlainly(request, place, message, session);
      if (plain) return plain;
      if (message.method === "initialize" && !session) return begin(request, place, message);
    }
    if (!session) return machinery.standAlone(request, place, message);
    return machinery.inForm(request, place, (asked) => session.post(asked, message));
  }

  async function answerPlainly(
    request: Request,
    place: Place,
    message: RpcRequest,
    session: LiveSession | null,
  ): Promise<Response | null> {
    const era = ordinaryEra(request.headers, message);
    if (!era) return null;
    const offer = offerAt(place.address);
    const result = await offer.answer(message, { place, signal: request.signal, may_wait: !session });
    return result && resultResponse(era, offer, message, result);
  }

  /** A handshake. Where no session can be kept, the client is given none and every call of it stands alone. */
  async function begin(request: Request, place: Place, message: RpcRequest): Promise<Response> {
    const response = await machinery.standAlone(request, place, message, "json");
    const answer = (await response.json()) as { result?: object };
    const id = answer.result && (await newSession(place, message.params ?? {}));
    return jsonResponse(answer, response.status, id ? { "mcp-session-id": id } : {});
  }

  async function newSession(place: Place, params: Record<string, unknown>): Promise<string | null> {
    const { protocolVersion, capabilities, clientInfo } = params;
    const handshake = { protocolVersion, capabilities, clientInfo };
    if (JSON.stringify(handshake).length > limits.mcp_handshake_chars_max) return null;
    try {
      return (await sessions.begin(place.address, handshake)).id;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      log.warn("mcp.session_not_kept", { code: error.code });
      return null;
    }
  }

  async function get(request: Request, place: Place): Promise<Response> {
    const session = await sessionOf(request, place);
    if (session) {
      place.keepOpen();
      return begun(await session.stream(request));
    }
    if (request.headers.get("accept")?.includes("text/event-stream")) {
      return errorResponse(405, -32000, "There is a stream in a session only: send initialize first.", allow);
    }
    return page(request, place);
  }

  async function end(request: Request, place: Place): Promise<Response> {
    const session = await sessionOf(request, place);
    if (!session) return errorResponse(400, -32600, "Name the session to end in the header Mcp-Session-Id.");
    await live.end(session.record.id);
    return new Response(null, { status: 204 });
  }

  /** The session that a request names; null when it names none, or belongs to the era that has none. */
  async function sessionOf(request: Request, place: Place): Promise<LiveSession | null> {
    const id = request.headers.get("mcp-session-id");
    if (id === null || request.headers.get("mcp-protocol-version") === modern_version) return null;
    const session = await live.find(id, place.address);
    if (session) return session;
    throw new UnknownSession();
  }

  return {
    async fetch(request, place) {
      try {
        return await answer(request, place);
      } catch (error) {
        if (error instanceof UnknownSession) {
          return errorResponse(404, -32001, "Session not found: begin a new one with initialize.");
        }
        if (error instanceof ServiceError) return refusal(error);
        log.error("mcp.failed", {
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        });
        return errorResponse(500, -32603, "Something broke on our side; it has been logged.");
      }
    },
    close() {
      live.close();
      machinery.close();
    },
  };
}

class UnknownSession extends Error {}

const allow = { allow: "GET, POST, DELETE" };

/** A failure of the transport as JSON-RPC says it (section 5.1). */
function refusal(error: ServiceError): Response {
  const code = error.code === "malformed_json" ? -32700 : -32600;
  const message = [error.detail, error.extra.hint].filter(Boolean).join(" ");
  return errorResponse(statusOf(error.code), code, message, problemHeaders(error));
}
