/** Answers and bodies that never end, for tests. */

import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";

/** Far more than any answer or body may have. */
const flood_bytes = 50_000_000;

/**
 * Writes as fast as the other side reads, until the connection ends. After `flood_bytes` it waits for that: this process is the other
 * side, too, and cannot read as long as it only writes.
 */
export function flood(socket: Socket, bytes: string): void {
  let left = flood_bytes;
  const write = () => {
    left -= bytes.length;
    if (!socket.destroyed && left > 0) socket.write(bytes, () => setImmediate(write));
  };
  write();
}

/** A body that is sent as fast as the other side reads, until it leaves. It ends after `flood_bytes`, for the same reason. */
export function floodingBody(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let left = flood_bytes;
  return new ReadableStream({
    async pull(controller) {
      left -= bytes.length;
      if (left <= 0) return controller.close();
      controller.enqueue(bytes);
      await turn();
    },
  });
}
