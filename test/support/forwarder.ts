/** A TCP forwarder that cuts connections, for tests of clients. */

import { connect, createServer, type Socket } from "node:net";

export interface Forwarder {
  url: string;
  /** How many connections were opened. */
  connections(): number;
  /** Cuts the next `count` connections when the service has answered, before the client gets a byte. */
  loseAnswers(count: number): void;
  /** Cuts all open connections. */
  cut(): void;
  stop(): void;
}

/** Starts a forwarder to the service at `url`. */
export async function startForwarder(url: string): Promise<Forwarder> {
  const open = new Set<Socket>();
  let connections = 0;
  let to_lose = 0;
  const server = createServer((from) => {
    connections++;
    const to = connect(Number(new URL(url).port), "127.0.0.1");
    for (const socket of [from, to]) {
      open.add(socket);
      // The other end may be cut at any time.
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        from.destroy();
        to.destroy();
      });
    }
    from.on("data", (bytes) => void to.write(bytes));
    to.on("data", (bytes) => {
      if (to_lose > 0) {
        to_lose--;
        from.destroy();
      } else from.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const cut = () => open.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${port}`,
    connections: () => connections,
    loseAnswers: (count) => void (to_lose = count),
    cut,
    stop() {
      cut();
      server.close();
    },
  };
}
