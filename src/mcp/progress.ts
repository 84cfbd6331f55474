/** Progress of calls that wait (notifications/progress): a client that asks for it shows that it bears a long wait. */

import type { Clock } from "../core/clock.ts";
import { limits } from "../core/limits.ts";
import type { OpenCall } from "../core/open_calls.ts";
import type { Ready } from "../core/ready.ts";
import { event_stream_headers, eventText, heartbeat_ms } from "../web/sse/format.ts";
import type { RpcFailure } from "./errors.ts";
import { answerResponse, isObject, type Era } from "./protocol.ts";
import { messageEvent } from "./subscriptions/pending.ts";
import { UpdateStream } from "./subscriptions/stream.ts";
import type { Endpoint, Notify, Place, RpcRequest } from "./types.ts";

/** The token by which a client asks for progress; null if it does not. */
export function progressTokenIn(params: Record<string, unknown>): string | number | null {
  const { _meta: meta } = params;
  const token = isObject(meta) ? meta.progressToken : undefined;
  return typeof token === "string" || Number.isSafeInteger(token) ? (token as string | number) : null;
}

/** When a call was made for the first time, in unix milliseconds: a member of the metadata of one that is made again. */
const made_key = "wharf/made_ms";

/** The metadata of a call that is made again. */
export const metaOfRepetition = (token: string | number, made_ms: number) => ({
  progressToken: token,
  [made_key]: made_ms,
});

/**
 * Sends the seconds that have passed since the call was made, as often as streams send a heartbeat, until the result is called.
 * `params`: the params of the call. Progress may not go back, so a call that is made again continues to count.
 */
export function sendProgress(
  clock: Clock,
  { _meta: meta }: Record<string, unknown>,
  token: string | number,
  notify: Notify,
): () => void {
  const made_ms = Number((meta as Record<string, unknown>)[made_key] ?? Number.NaN);
  const passed_seconds = Math.max(0, Math.round((clock.now() - made_ms) / 1000)) || 0;
  const begun_ms = clock.monotonic();
  let cancel = () => {};
  const schedule = () => {
    cancel = clock.after(heartbeat_ms, () => {
      const progress = passed_seconds + Math.round((clock.monotonic() - begun_ms) / 1000);
      notify({ method: "notifications/progress", params: { progressToken: token, progress } });
      schedule();
    });
  };
  schedule();
  return () => cancel();
}

/** The answer to a call that belongs to no session: plain JSON, or from the first notification on an event stream. */
class ProgressiveAnswer {
  readonly #begun = Promise.withResolvers<Response>();
  readonly #left = new AbortController();
  readonly #keepOpen: () => () => void;
  #stream: UpdateStream | undefined;

  /** `left`: aborted when the client leaves before a stream has begun. `keepOpen`: keeps the connection open until its result is called. */
  constructor(left: AbortSignal, keepOpen: () => () => void) {
    this.#keepOpen = keepOpen;
    left.addEventListener("abort", () => this.#left.abort());
  }

  /** Aborted when the client has left. */
  get signal(): AbortSignal {
    return this.#left.signal;
  }

  readonly notify: Notify = (notification) => {
    const event = messageEvent(notification);
    if (this.#stream) return this.#stream.offer(event);
    const ends = this.#keepOpen();
    this.#stream = new UpdateStream(event, () => {
      ends();
      this.#left.abort();
    });
    this.#begun.resolve(new Response(this.#stream.body, { headers: event_stream_headers }));
  };

  /** The response whose end is `answer`, which is JSON. */
  async of(answer: Promise<Response>): Promise<Response> {
    const ended = answer.then(async (response) => {
      if (this.#stream) this.#stream.end(eventText({ event: "message", data: await response.text() }));
      return response;
    });
    return Promise.race([this.#begun.promise, ended]);
  }
}

/** Answers a call that waits and belongs to no session. `left`: aborted when the client leaves before there is an answer. */
export function answerWithProgress(
  left: AbortSignal,
  place: Place,
  message: RpcRequest,
  endpoint: Endpoint,
  era: Era,
): Promise<Response> {
  const answer = new ProgressiveAnswer(left, () => place.keepStreamOpen());
  const exchange = { place, signal: () => answer.signal, may_wait: true, notify: answer.notify };
  const responseTo = async (result: Ready<object | RpcFailure>): Promise<Response> =>
    answerResponse(era, endpoint, message, await result);
  return answer.of(responseTo(endpoint.answer(message, exchange)!));
}

export interface Patience {
  /** Whether the client is shown progress. If not, many give up after a minute. */
  shows_progress: boolean;
  /** The call as long as it is open; undefined if it does not wait. */
  open: OpenCall | undefined;
}

const isTooLong = (args: { wait_seconds?: number }, { shows_progress }: Patience): boolean =>
  !shows_progress && (args.wait_seconds ?? 0) > limits.wait_seconds_max;

/** The arguments with as long a wait as the client bears. */
export const shortened = <Args extends object>(args: Args, patience: Patience): Args =>
  isTooLong(args, patience) ? { ...args, wait_seconds: limits.wait_seconds_max } : args;

/** How long a shortened wait was, in seconds; undefined if it was not shortened, or if it found something. */
export const secondsCut = (args: object, patience: Patience): number | undefined =>
  isTooLong(args, patience) && patience.open?.timed_out ? limits.wait_seconds_max : undefined;

export const waitedText = (seconds: number): string =>
  `waited_seconds: ${seconds}, the most without progress on an event stream`;
