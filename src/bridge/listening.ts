/**
 * subscriptions/listen of revision 2026-07-28: a call whose stream stays open. If its connection is lost, or the service ends it because it
 * stops, it is made again, and the client notices nothing.
 */

import { isObject } from "../mcp/protocol.ts";
import { Attempts } from "./attempts.ts";
import type { BridgeDeps } from "./deps.ts";
import { bridge_limits } from "./limits.ts";
import {
  answerIn,
  headersOf,
  isAnswer,
  paramsOf,
  unanswered,
  updated,
  type Answer,
  type Request,
} from "./messages.ts";
import { Unreachable, type Wire } from "./wire.ts";

/** Passes on the notifications of a subscription. Resolves to the answer when there are none to come. */
export async function listen(
  request: Request,
  revision: string,
  wire: Wire,
  deps: BridgeDeps,
  signal: AbortSignal,
): Promise<Answer> {
  const { id } = request;
  const attempts = new Attempts(deps, bridge_limits.away_seconds_max);
  /** Whether the client knows that it is subscribed. */
  let is_acknowledged = false;
  for (;;) {
    let reason = "The connection was lost.";
    try {
      const headers = headersOf(request, revision);
      const { refusal, events } = await wire.send({ method: "POST", headers, message: request }, signal);
      if (refusal) return refusal;
      /** Whether the service has something to send on this stream. */
      let follows = false;
      for await (const { message } of events) {
        if (message === null) continue;
        attempts.succeeded();
        if (isAnswer(message)) {
          if ("error" in message || !follows) return answerIn(message);
          break;
        }
        const uris = message.method === acknowledged ? followedIn(message) : null;
        follows ||= uris !== null && uris.length > 0;
        // They may have changed while nobody followed them.
        if (uris && is_acknowledged) for (const uri of uris) deps.write(updated(uri, id));
        else deps.write(message);
        is_acknowledged ||= uris !== null;
      }
    } catch (error) {
      if (signal.aborted || !(error instanceof Unreachable)) throw error;
      reason = error.message;
    }
    if (!(await attempts.again(signal))) return unanswered(reason);
  }
}

const acknowledged = "notifications/subscriptions/acknowledged";

function followedIn(message: Record<string, unknown>): string[] {
  const { notifications } = paramsOf(message);
  const uris = isObject(notifications) ? notifications.resourceSubscriptions : null;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}
