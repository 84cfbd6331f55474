/** Connections whose reader stops reading, as a program does that hangs or attacks. */

export interface StalledReader {
  /** Continues to read. Resolves to all bytes since it stalled, when the other side closes the connection. */
  readOn(): Promise<Buffer>;
  leave(): void;
}

/** Sends a request, as text, over a connection of its own, and stops reading when the answer has begun. */
export async function stall(url: string, request: string): Promise<StalledReader> {
  const { port, hostname } = new URL(url);
  const begun = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let chunks: Uint8Array[] = [];
  // Not node:net: a socket of it that is paused never closes if the other side breaks the connection off.
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_socket, chunk) {
        chunks.push(Uint8Array.from(chunk));
        begun.resolve();
      },
      close: () => closed.resolve(),
      error() {},
    },
  });
  socket.write(request);
  await begun.promise;
  socket.pause();
  return {
    readOn() {
      chunks = [];
      socket.resume();
      return closed.promise.then(() => Buffer.concat(chunks));
    },
    leave: () => socket.terminate(),
  };
}

/** A GET as text. */
export const getText = (path: string, headers: Record<string, string> = {}): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${lines(headers)}\r\n`;

const lines = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
