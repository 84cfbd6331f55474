/** Connections whose reader stops reading, as a program does that hangs or attacks. */

import { connect, type Socket } from "node:net";

export interface StalledReader {
  /** Continues to read. Resolves to all bytes since it stalled, when the other side closes the connection. */
  readOn(): Promise<Buffer>;
  leave(): void;
}

/** Sends a request, as text, over a connection of its own, and stops reading when the answer has begun. */
export async function stall(url: string, request: string): Promise<StalledReader> {
  const { port, hostname } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  // The tests expect the service to close the connection.
  socket.on("error", () => {});
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  const begun = new Promise<void>((resolve) => socket.once("data", () => resolve()));
  socket.write(request);
  await begun;
  socket.pause();
  return {
    readOn() {
      const chunks: Buffer[] = [];
      socket.on("data", (chunk: Buffer) => void chunks.push(chunk));
      const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
      socket.resume();
      return closed.then(() => Buffer.concat(chunks));
    },
    leave: () => void socket.destroy(),
  };
}

/** A GET as text. */
export const getText = (path: string, headers: Record<string, string> = {}): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${lines(headers)}\r\n`;

const lines = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
