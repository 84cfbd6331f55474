/** Ports for programs that cannot choose one themselves. */

import { createServer } from "node:net";

/** A port of 127.0.0.1 that is free now. */
export function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
