/** Ports for programs that cannot choose one themselves. */

import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** The system gives a server that asks for any port one from 32768 on, or from 49152: it could take the port before its program does. */
const [lowest, highest] = [20_000, 32_767];

/** A port of 127.0.0.1 that is free now, and that the system gives to no other program. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest + 1);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
