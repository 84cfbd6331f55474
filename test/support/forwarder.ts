/** A TCP forwarder that cuts connections, for tests of clients of the service and of the service as a client of a database. */

import { connect, createServer, type Socket } from "node:net";

export interface Forwarder {
  url: string;
  /** How many connections were opened. */
  connections(): number;
  /** Cuts the next `count` connections when the service has answered, before the client gets a byte. */
  loseAnswers(count: number): void;
  /** Cuts all open connections. */
  cut(): void;
  /** Swallows, without a sign, what is sent over connections that are open or are opened, and never passes anything on in them. */
  swallow(): void;
  /** Lets new connections through again. */
  heal(): void;
  stop(): void;
}

/** Starts a forwarder to the server at `url`, on this machine. */
export async function startForwarder(url: string): Promise<Forwarder> {
  const open = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  let is_silent = false;
  let connections = 0;
  let to_lose = 0;
  const server = createServer((from) => {
    connections++;
    const to = connect(Number(new URL(url).port), "127.0.0.1");
    for (const socket of [from, to]) {
      open.add(socket);
      if (is_silent) silent.add(socket);
      // The other end may be cut at any time.
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        from.destroy();
        to.destroy();
      });
    }
    from.on("data", (bytes) => void (silent.has(from) || to.write(bytes)));
    to.on("data", (bytes) => {
      if (silent.has(to)) return;
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
    url: url.replace(new URL(url).host, `127.0.0.1:${port}`),
    connections: () => connections,
    loseAnswers: (count) => void (to_lose = count),
    cut,
    swallow() {
      is_silent = true;
      for (const socket of open) silent.add(socket);
    },
    heal: () => void (is_silent = false),
    stop() {
      cut();
      server.close();
    },
  };
}
