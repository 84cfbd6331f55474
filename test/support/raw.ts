/** Requests written byte by byte, for what no client library would send. */

export interface RawAnswer {
  status: number;
  headers: string;
  body: string;
}

/** Sends lines (joined by CRLF) or bytes over a socket and reads until the other side closes. */
export async function rawRequest(url: string, request: string[] | Uint8Array): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const chunks: Uint8Array[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      // The chunk's memory is used again by the next one.
      data: (_socket, chunk) => void chunks.push(Uint8Array.from(chunk)),
      close: () => resolve(),
      error: () => resolve(),
    },
  });
  socket.write(request instanceof Uint8Array ? request : Buffer.from(request.join("\r\n")));
  await promise;
  const text = Buffer.concat(chunks).toString();
  const [head = "", ...rest] = text.split("\r\n\r\n");
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    headers: head,
    body: rest.join("\r\n\r\n"),
  };
}
