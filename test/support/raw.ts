/** Requests written byte by byte, which no client library would send. */

export interface RawAnswer {
  status: number;
  headers: string;
  body: string;
}

/** A connection on which a test writes. */
export interface RawConnection {
  /** Writes lines (joined by CRLF) or bytes. */
  write(request: string[] | Uint8Array): void;
  /** The bytes that the other side sent before it closed; status 0 if they are no answer. */
  answer: Promise<RawAnswer>;
}

/** Opens a connection. Resolves when the system has opened it; the service may accept it later. */
export async function openConnection(url: string): Promise<RawConnection> {
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
  return {
    write(request) {
      socket.write(request instanceof Uint8Array ? request : Buffer.from(request.join("\r\n")));
    },
    answer: promise.then(() => parsed(Buffer.concat(chunks).toString())),
  };
}

/** The answer in what the other side has sent; status 0 if there is none. */
export function parsed(text: string): RawAnswer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    headers: head,
    body: rest.join("\r\n\r\n"),
  };
}

/** Sends lines (joined by CRLF) or bytes over a socket and reads until the other side closes. */
export async function rawRequest(url: string, request: string[] | Uint8Array): Promise<RawAnswer> {
  const connection = await openConnection(url);
  connection.write(request);
  return connection.answer;
}

/** The lines of a request that posts `text` in a room. The text is ASCII. */
export function postLines(room: string, text: string): string[] {
  const body = JSON.stringify({ name: "ana", body: text });
  return [
    `POST /api/meet/rooms/${room}/posts HTTP/1.1`,
    "Host: localhost",
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "",
    body,
  ];
}
