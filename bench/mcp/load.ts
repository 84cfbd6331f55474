/** A load of one HTTP request, sent again and again over kept connections: raw bytes, so that the client costs little. */

export interface Load {
  url: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  seconds: number;
}

/** Sends the request for some seconds; answers a second. All answers must be as long as the first (they have the same content). */
export async function callsPerSecond({ url, headers, body, connections, seconds }: Load): Promise<number> {
  const { hostname, port, pathname, host } = new URL(url);
  const lines = Object.entries({ host, "content-length": String(Buffer.byteLength(body)), ...headers });
  const request = [
    `POST ${pathname} HTTP/1.1`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    "",
    body,
  ];
  const bytes = Buffer.from(request.join("\r\n"));
  let answers = 0;
  let running = true;

  const connect = async () => {
    let length = 0;
    let received = 0;
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data(socket, chunk) {
          length ||= answerLength(chunk);
          received += chunk.length;
          while (received >= length) {
            received -= length;
            answers++;
            if (running) socket.write(bytes);
          }
        },
      },
    });
    socket.write(bytes);
    return socket;
  };

  const sockets = await Promise.all(Array.from({ length: connections }, connect));
  await Bun.sleep(seconds * 250);
  const [before, begun] = [answers, performance.now()];
  await Bun.sleep(seconds * 1000);
  const rate = ((answers - before) * 1000) / (performance.now() - begun);
  running = false;
  for (const socket of sockets) socket.end();
  return rate;
}

/** The whole length of an answer, head and body. Throws on anything but 200 with a Content-Length. */
function answerLength(chunk: Buffer): number {
  const text = chunk.toString("latin1");
  const head = text.indexOf("\r\n\r\n") + 4;
  const body = /^content-length: (\d+)/im.exec(text.slice(0, head));
  if (!text.startsWith("HTTP/1.1 200") || !body)
    throw new Error(`Not an answer to measure: ${text.slice(0, 200)}`);
  return head + Number(body[1]);
}
