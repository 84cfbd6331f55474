/** The SDK's event streams as responses: sent from their first byte on, or read to their end for a client that takes no stream. */

import { sendFrom, sendJson, sendText } from "../web/responses.ts";
import type { OpenCall } from "../core/open_calls.ts";
import type { BodySource } from "../web/body_sources.ts";
import { empty_comment, event_stream_type } from "../web/sse/format.ts";

export const isStream = (response: Response): boolean =>
  response.headers.get("content-type") === event_stream_type;

/** Whether a client takes an answer as a stream and as JSON, as the protocol requires of it. */
export function takesStreams(headers: Headers): boolean {
  const accept = headers.get("accept") ?? "";
  return accept.includes(event_stream_type) && accept.includes("application/json");
}

const comment = new TextEncoder().encode(empty_comment);

/**
 * The response with a comment before its stream: Bun sends the head of a response with its first byte, and the stream may
 * be silent for a long time. `call` is closed when the stream has ended or its reader has left. The stream ends when it is refused.
 */
export async function begun(response: Response, call?: OpenCall): Promise<Response> {
  if (!isStream(response) || !response.body) {
    call?.close();
    return whole(response);
  }
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const leave = () => void reader.cancel().catch(() => {});
  call?.signal.addEventListener("abort", leave);
  if (call?.signal.aborted) leave();
  let is_begun = false;
  const source: BodySource = {
    async next() {
      if (!is_begun) {
        is_begun = true;
        return comment;
      }
      const { value, done } = await reader.read();
      if (!done) return value;
      call?.close();
      return null;
    },
    cancel() {
      call?.close();
      leave();
    },
  };
  return sendFrom(source, response);
}

/** The first revision whose clients understand an event without data. The SDK begins streams with one, which has the id, only for them. */
export const empty_events_since = "2025-11-25";

/** The stream with a name and data for its first event, which has neither: clients ignore an event whose name they do not know. */
export function withNamedMark(response: Response): Response {
  if (!isStream(response) || !response.body) return response;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let is_begun = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await reader.read();
      if (done) return controller.close();
      controller.enqueue(is_begun ? value : named(value));
      is_begun = true;
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, response);
}

const named = (event: Uint8Array): Uint8Array =>
  new TextEncoder().encode(
    new TextDecoder().decode(event).replace(/^data: *\n\n/m, "event: resumable\ndata: {}\n\n"),
  );

/** A response of the SDK that is not a stream. It may be large. */
export const whole = async (response: Response): Promise<Response> =>
  response.body ? sendText(await response.text(), response) : response;

/** The result at the end of an event stream as plain JSON; an array if a batch has several. */
export async function lastMessage(response: Response): Promise<Response> {
  const text = await response.text();
  const answers = text
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>)
    .filter((message) => "result" in message || "error" in message);
  return sendJson(answers.length === 1 ? answers[0] : answers, 200);
}
