/** Brings a message to the service, again and again until it is answered: once for the client, and done once at the service. */

import { isObject } from "../mcp/protocol.ts";
import { rpc_codes } from "../mcp/errors.ts";
import { Attempts } from "./attempts.ts";
import type { BridgeDeps } from "./deps.ts";
import { bridge_limits } from "./limits.ts";
import {
  answerIn,
  headersOf,
  isAnswer,
  isRequest,
  revisionOf,
  unanswered,
  type Answer,
  type Message,
} from "./messages.ts";
import type { Session } from "./session.ts";
import { Unreachable, type Wire, type WireResponse } from "./wire.ts";

const lost_connection = "The connection was lost.";

export interface Delivered {
  answer: Answer;
  /** The session that began with the answer. */
  session_id: string | null;
}

export class Delivery {
  readonly #wire: Wire;
  readonly #session: Session;
  readonly #deps: BridgeDeps;
  /** Every request that is sent has an id of its own, also if it is sent again: what an earlier one still returns is of no use. */
  #last_id = 0;

  constructor(wire: Wire, session: Session, deps: BridgeDeps) {
    this.#wire = wire;
    this.#session = session;
    this.#deps = deps;
  }

  /**
   * Resolves to the answer of a request, and to an empty result for another message. A call whose connection is lost is resumed; if
   * that is not possible it is sent again. The caller has made it repeatable. `sent`: called with each id that it is sent with.
   */
  async deliver(
    message: Message,
    signal: AbortSignal,
    sent: (id: number) => void = () => {},
  ): Promise<Delivered> {
    const attempts = new Attempts(this.#deps, bridge_limits.away_seconds_max);
    const revision = revisionOf(message);
    let id = 0;
    let sent_times = 0;
    /** Where the stream of the call is resumed. */
    let position = "";
    for (;;) {
      let reason = lost_connection;
      const headers = revision === null ? this.#headersFor(message) : headersOf(message, revision);
      const is_resumed = position !== "";
      try {
        if (!is_resumed && isRequest(message)) sent((id = ++this.#last_id));
        if (!is_resumed) sent_times++;
        const response = await this.#wire.send(
          is_resumed
            ? { method: "GET", headers: { ...headers, "last-event-id": position } }
            : { method: "POST", headers, message: isRequest(message) ? { ...message, id } : message },
          signal,
        );
        const { refusal, session_id } = response;
        if (response.is_session_unknown) {
          position = "";
          await this.#session.renew(headers);
        } else if (refusal) return { answer: refusal, session_id };
        else if (!isRequest(message)) return { answer: { result: {} }, session_id };
        else {
          const answer = await this.#answerTo(id, response, (at) => {
            attempts.succeeded();
            // Without a session nothing is resumed.
            if (revision === null) position = at || position;
          });
          // A service that has forgotten the answer has it again if the same call is made again.
          const is_final =
            answer && !(is_resumed && isInternal(answer)) && !(sent_times > 1 && isRunning(answer));
          if (is_final) return { answer, session_id };
          if (answer) position = "";
        }
      } catch (error) {
        if (signal.aborted || !(error instanceof Unreachable)) throw error;
        reason = error.message;
      }
      if (!(await attempts.again(signal))) return { answer: unanswered(reason), session_id: null };
    }
  }

  /** A handshake begins a session of its own. */
  #headersFor = (message: Message): Readonly<Record<string, string>> =>
    message.method === "initialize" ? {} : this.#session.headers;

  /** The answer to the request `id`; null if the response ends without it. Passes on what else there is. */
  async #answerTo(
    id: number,
    { events }: WireResponse,
    at: (position: string) => void,
  ): Promise<Answer | null> {
    for await (const { id: position, message } of events) {
      at(position);
      if (message === null) continue;
      if (!isAnswer(message)) this.#deps.write(message);
      // An error without an id is about the request as a whole.
      else if (message.id === id || message.id === null) return answerIn(message);
    }
    return null;
  }
}

const isInternal = (answer: Answer): boolean => "error" in answer && answer.error.code === rpc_codes.internal;

/** Whether a tool answers that the same call, which was sent before, is still running. */
function isRunning(answer: Answer): boolean {
  const { isError, content } = (
    "result" in answer && isObject(answer.result) ? answer.result : {}
  ) as Message;
  const [first] = Array.isArray(content) ? (content as unknown[]) : [];
  const text = isObject(first) ? first.text : null;
  return isError === true && typeof text === "string" && text.startsWith(running);
}
const running = "Refused (idempotency_in_progress):";
