/** Answers that never end, for tests. */

import type { Socket } from "node:net";

/** Far more than any answer may have. */
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
