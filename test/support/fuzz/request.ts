/** Requests as bytes, and the exchange of one for its answer on a connection of its own. */

import { parsed, type RawAnswer } from "../raw.ts";

/** A request before it is written as bytes. */
export interface Sent {
  method: string;
  target: string;
  headers: [string, string][];
  body?: Buffer;
}

/** The bytes of a request whose connection closes after the answer. */
export function bytesOf({ method, target, headers, body }: Sent): Buffer {
  const all: [string, string][] = [
    ["host", "localhost"],
    ["connection", "close"],
    ...headers,
    ...(body ? [["content-length", String(body.length)] as [string, string]] : []),
  ];
  // Bytes above 127 stand in a header as they are.
  const head = `${method} ${target} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), body ?? Buffer.alloc(0)]);
}

/** An answer; its body still has the framing of chunks. Status 0: there was none. */
export interface Heard extends RawAnswer {
  /** Whether the caller left before the connection was closed: it waited long enough, or had read enough. */
  is_left: boolean;
}

/** How long an answer may take before the caller leaves, which callers do. */
const patience_ms = 1_000;
/** How much of an answer is read. */
const answer_bytes_max = 400_000;

/** Sends `bytes` and reads what comes: until the other side closes, or the caller has enough. Throws if nothing listens. */
export async function exchange(url: string, bytes: Buffer): Promise<Heard> {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<"closed" | "left">();
  const chunks: Uint8Array[] = [];
  let read = 0;
  let unsent = bytes;
  const write = (socket: { write(part: Buffer): number }) => {
    const written = socket.write(unsent);
    if (written > 0) unsent = unsent.subarray(written);
  };
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: write,
      drain: write,
      data(_socket, chunk) {
        // The chunk's memory is used again by the next one.
        chunks.push(Uint8Array.from(chunk));
        read += chunk.length;
        if (read > answer_bytes_max) resolve("left");
        else if (
          chunks.length === 1 &&
          /^content-type: text\/event-stream/im.test(Buffer.from(chunk).toString("latin1"))
        )
          setTimeout(resolve, 50, "left");
      },
      close: () => resolve("closed"),
      error: () => resolve("closed"),
    },
  });
  const timer = setTimeout(resolve, patience_ms, "left");
  const how = await promise;
  clearTimeout(timer);
  socket.terminate();
  const text = Buffer.concat(chunks).toString();
  return { ...parsed(text.replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, "")), is_left: how === "left" };
}
