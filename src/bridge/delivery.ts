/** Brings a message to the service, again and again until it is answered: once for the client, and done once at the service. */

import { isObject } from "../mcp/protocol.ts";
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

interface Delivered {
  answer: Answer;
  /** The session that began with the answer. */
  session_id: string | null;
}

export class Delivery {
  /** Every request that is sent has an id of its own, also if it is sent again: what an earlier one still returns is of no use. */
  #last_id = 0;

  constructor(
    private readonly wire: Wire,
    private readonly session: Session,
    private readonly deps: BridgeDeps,
  ) {}

  /**
   * Resolves to the answer of a request, and to an empty result for another message. A call whose connection is lost is resumed; if
   * that is not possible it is sent again. The caller has made it repeatable. `sent`: called with each id that it is sent with.
   */
  async deliver(
    message: Message,
    signal: AbortSignal,
    sent: (id: number) => void = () => {},
  ): Promise<Delivered> {
    const attempts = new Attempts(this.deps, bridge_limits.away_seconds_max);
    const revision = revisionOf(message);
    let id = 0;
    /** Where the stream of the call is resumed. */
    let position = "";
    for (;;) {
      let reason = lost_connection;
      const headers = revision === null ? this.#headersFor(message) : headersOf(message, revision);
      const is_resumed = position !== "";
      try {
        if (!is_resumed && isRequest(message)) sent((id = ++this.#last_id));
        const response = await this.wire.send(
          is_resumed
            ? { method: "GET", headers: { ...headers, "last-event-id": position } }
            : { method: "POST", headers, message: isRequest(message) ? { ...message, id } : message },
          signal,
        );
        if (response.is_session_unknown) {
          position = "";
          await this.session.renew(headers);
        } else {
          const answer = await this.#answerTo(message, id, response, (at) => {
            attempts.succeeded();
            // Without a session nothing is resumed.
            if (revision === null) position = at || position;
          });
          if (answer && isFinal(answer, is_resumed)) {
            return { answer, session_id: response.session_id };
          }
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
    message.method === "initialize" ? {} : this.session.headers;

  /** The answer in the response to `message`, sent with this id; null if the response ends without it. Passes on what else there is. */
  async #answerTo(
    message: Message,
    id: number,
    { refusal, events }: WireResponse,
    at: (position: string) => void,
  ): Promise<Answer | null> {
    if (refusal) return refusal;
    if (!isRequest(message)) return { result: {} };
    for await (const { id: position, message: said } of events) {
      at(position);
      if (said === null) continue;
      if (!isAnswer(said)) this.deps.write(said);
      // An error without an id is about the request as a whole.
      else if (said.id === id || said.id === null) return answerIn(said);
    }
    return null;
  }
}

/** Whether the client gets this answer. Otherwise the call is sent again. */
function isFinal(answer: Answer, is_resumed: boolean): boolean {
  // A service that has forgotten an answer has it again if the same call is made again.
  if (is_resumed && "error" in answer) return false;
  const code = codeOf(answer);
  // The same call is still running: it was sent or resumed while the connection of an earlier one was lost.
  return code !== "stopping" && code !== "idempotency_in_progress";
}

/** The code in the text of a refusal, of a tool or of a request; undefined if it is none. */
function codeOf(answer: Answer): string | undefined {
  const text = "error" in answer ? answer.error.message : textOf(answer.result);
  return /^Refused \((\w+)\)/.exec(text)?.[1];
}

/** The text of a tool's refusal; empty for any other result. */
function textOf(result: unknown): string {
  if (!isObject(result) || result.isError !== true || !Array.isArray(result.content)) return "";
  const [first] = result.content as unknown[];
  return isObject(first) && typeof first.text === "string" ? first.text : "";
}
