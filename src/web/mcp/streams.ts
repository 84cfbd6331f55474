/** The SDK's event streams on their way out: begun at once, or read to their end for whoever takes none. */

import { sendJson } from "../answers.ts";
import type { Place } from "./offer.ts";

export const isStream = (response: Response): boolean =>
  response.headers.get("content-type") === "text/event-stream";

const comment = new TextEncoder().encode(":\n\n");

/**
 * The stream with a comment before it: Bun sends the head of an answer with its first byte, which may be long in coming.
 * The stream may be quiet for as long as it likes. `left` is called when it has ended, or its reader has left.
 */
export function begun(response: Response, place: Place, left: () => void = () => {}): Response {
  if (!isStream(response) || !response.body) {
    left();
    return response;
  }
  const ends = place.keepStreamOpen();
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(comment),
    async pull(controller) {
      const { value, done } = await reader.read();
      if (!done) return controller.enqueue(value);
      ends();
      left();
      controller.close();
    },
    cancel(reason) {
      left();
      return reader.cancel(reason);
    },
  });
  return new Response(body, response);
}

/** The answer at the end of an event stream, as plain JSON; an array where a batch got several. */
export async function lastMessage(response: Response): Promise<Response> {
  const text = await response.text();
  const answers = text
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>)
    .filter((message) => "result" in message || "error" in message);
  return sendJson(answers.length === 1 ? answers[0] : answers, 200);
}
