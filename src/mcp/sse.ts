/** The SDK's event streams on their way out: begun at once, or read to their end for whoever takes none. */

import { sendFrom, sendJson, sendText } from "../web/responses.ts";
import type { BodySource } from "../web/body_sources.ts";

export const isStream = (response: Response): boolean =>
  response.headers.get("content-type") === "text/event-stream";

const comment = new TextEncoder().encode(":\n\n");

/**
 * The answer with a comment before its stream: Bun sends the head of an answer with its first byte, which may be long in
 * coming. The stream may be quiet for as long as it likes. `left` is called when it has ended, or its reader has left.
 */
export async function begun(response: Response, left: () => void = () => {}): Promise<Response> {
  if (!isStream(response) || !response.body) {
    left();
    return whole(response);
  }
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  let is_begun = false;
  const source: BodySource = {
    async next() {
      if (!is_begun) {
        is_begun = true;
        return comment;
      }
      const { value, done } = await reader.read();
      if (!done) return value;
      left();
      return null;
    },
    cancel() {
      left();
      void reader.cancel().catch(() => {});
    },
  };
  return sendFrom(source, response);
}

/** An answer of the SDK that is no stream: it may be large. */
export const whole = async (response: Response): Promise<Response> =>
  response.body ? sendText(await response.text(), response) : response;

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
