/**
 * The session of a client whose revision begins with a handshake. The service stores sessions, so that they survive its restart. One
 * that has ended nevertheless is begun again with the same handshake and the same subscriptions, and the client notices nothing.
 */

import { Attempts, pause } from "./attempts.ts";
import type { BridgeDeps } from "./deps.ts";
import { bridge_limits } from "./limits.ts";
import { answerIn, isAnswer, paramsOf, Refused, updated, type Answer, type Message } from "./messages.ts";
import { Unreachable, type Wire } from "./wire.ts";

/** The headers that put a request into the session. Another object after each handshake. */
type SessionHeaders = Readonly<Record<string, string>>;

export class Session {
  #handshake: Message = {};
  #headers: SessionHeaders = {};
  /** The resources that the client is subscribed to. */
  readonly #followed = new Set<string>();
  #renewing: Promise<void> | undefined;
  #is_streaming = false;
  #stream: AbortController | undefined;

  constructor(
    private readonly wire: Wire,
    private readonly deps: BridgeDeps,
    /** Aborts with the bridge. */
    private readonly signal: AbortSignal,
  ) {}

  /** Empty before the handshake. */
  get headers(): SessionHeaders {
    return this.#headers;
  }

  /** Notes the answer to a handshake. `id`: null if the service could not store a session, in which case calls need none. */
  begun(handshake: Message, answer: Answer, id: string | null): void {
    if (!("result" in answer)) return;
    this.#handshake = handshake;
    this.#headers = headersIn(answer.result, id);
    this.#followed.clear();
    // The stream belongs to an earlier session.
    this.#stream?.abort();
  }

  /** Notes what a new session has to repeat. */
  answered({ method, ...request }: Message, answer: Answer): void {
    const { uri } = paramsOf(request);
    if (typeof uri !== "string" || !("result" in answer)) return;
    if (method === "resources/subscribe") this.#followed.add(uri);
    if (method === "resources/unsubscribe") this.#followed.delete(uri);
  }

  /**
   * Begins the session again, unless that has happened since a request with the headers `ended`. Throws `Unreachable`, and `Refused`.
   */
  async renew(ended: SessionHeaders): Promise<void> {
    if (ended !== this.#headers) return;
    await (this.#renewing ??= this.#begin().finally(() => (this.#renewing = undefined)));
  }

  async #begin(): Promise<void> {
    const { answer, session_id } = await this.#ask(this.#handshake, {});
    if (!("result" in answer)) throw new Refused(answer);
    const headers = headersIn(answer.result, session_id);
    const message = { jsonrpc: "2.0", method: "notifications/initialized" };
    await this.wire.send({ method: "POST", headers, message }, this.signal);
    for (const uri of this.#followed) {
      await this.#ask({ jsonrpc: "2.0", method: "resources/subscribe", params: { uri } }, headers);
    }
    // Only now: a session whose beginning fails halfway is begun again.
    this.#headers = headers;
    // They may have changed while nobody followed them.
    for (const uri of this.#followed) this.deps.write(updated(uri));
  }

  async #ask(message: Message, headers: SessionHeaders) {
    const request = { method: "POST" as const, headers, message: { ...message, id: "session" } };
    const { events, refusal, session_id } = await this.wire.send(request, this.signal);
    if (refusal) return { answer: refusal, session_id };
    for await (const { message: said } of events) {
      if (said && isAnswer(said)) return { answer: answerIn(said), session_id };
    }
    throw new Unreachable("The connection was lost.");
  }

  /** Passes on what the service sends on the stream of the session, until the bridge ends. */
  async stream(): Promise<void> {
    if (this.#is_streaming) return;
    this.#is_streaming = true;
    const attempts = new Attempts(this.deps, Infinity);
    // A service that could not store the session has no stream for it.
    while ("mcp-session-id" in this.#headers) {
      const headers = this.#headers;
      const stream = (this.#stream = new AbortController());
      try {
        const signal = AbortSignal.any([this.signal, stream.signal]);
        const response = await this.wire.send({ method: "GET", headers }, signal);
        if (response.is_session_unknown) await this.renew(headers);
        else if (response.refusal) throw new Refused(response.refusal);
        else attempts.succeeded();
        for await (const { message } of response.events) if (message) this.deps.write(message);
        await attempts.again(this.signal);
      } catch (error) {
        if (this.signal.aborted) return;
        if (stream.signal.aborted) continue;
        if (error instanceof Refused)
          await pause(this.deps.clock, bridge_limits.refused_stream_pause_ms, this.signal);
        else if (error instanceof Unreachable) await attempts.again(this.signal);
        else throw error;
      }
    }
    this.#is_streaming = false;
  }

  /** Ends the session at the service, if that can be reached at once. */
  async end(): Promise<void> {
    if (!("mcp-session-id" in this.#headers)) return;
    const signal = AbortSignal.timeout(bridge_limits.session_end_ms_max);
    await this.wire.send({ method: "DELETE", headers: this.#headers }, signal).catch(() => {});
  }
}

const headersIn = (result: unknown, id: string | null): SessionHeaders => {
  const { protocolVersion: version } = result as Message;
  return {
    ...(typeof version === "string" && { "mcp-protocol-version": version }),
    ...(id !== null && { "mcp-session-id": id }),
  };
};
