/** Receivers of webhooks that misbehave, listeners that nothing may reach, and services whose names a test resolves. */

import { createServer, type Server, type Socket } from "node:net";
import type { DnsServer } from "./dns_server.ts";
import { startSource, type TestSettings } from "./service.ts";

/** Starts the source with the names of a DNS server. */
export const startResolving = (settings: TestSettings, { lookup }: Pick<DnsServer, "lookup">) =>
  startSource(settings, undefined, undefined, undefined, undefined, undefined, lookup);

export interface Trap {
  /** The connections so far. */
  connections: number;
  stop(): void;
}

/** Listens at a port of these addresses, as far as the machine has them. */
export async function startTraps(port: number, hosts: readonly string[]): Promise<Trap> {
  const servers: Server[] = [];
  const trap: Trap = {
    connections: 0,
    stop() {
      for (const server of servers) server.close();
    },
  };
  for (const host of hosts) {
    const server = createServer((socket) => {
      trap.connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", (error: NodeJS.ErrnoException) =>
        error.code === "EADDRNOTAVAIL" ? resolve() : reject(error),
      );
      server.listen(port, host, resolve);
    });
    servers.push(server);
  }
  return trap;
}

/** A request as a receiver gets it. */
export interface RawRequest {
  /** The line of the request and the headers. */
  head: string;
  body: string;
}

/** What a receiver does with a connection once its request is there. */
export type Serve = (socket: Socket, request: RawRequest) => void;

export interface RawReceiver {
  url: string;
  requests: RawRequest[];
  /** How it serves from now on. */
  serve: Serve;
  stop(): void;
}

/** Starts a receiver that writes its answers itself. */
export async function startRawReceiver(serve: Serve): Promise<RawReceiver> {
  const server = createServer((socket) => {
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      const [head = "", body = ""] = text.split("\r\n\r\n");
      if (body.length < Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? Infinity)) return;
      text = "";
      const request = { head, body };
      receiver.requests.push(request);
      receiver.serve(socket, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const receiver: RawReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    ...{ requests: [], serve },
    stop: () => void server.close(),
  };
  return receiver;
}

/** Answers with a status and a body. */
export const answering =
  (status: number, body: string | Buffer, headers = ""): Serve =>
  (socket) => {
    socket.write(`HTTP/1.1 ${status} Some\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`);
    socket.end(body);
  };

/** Answers the challenge as it must be, and accepts everything else. */
export const honest: Serve = (socket, request) => answering(200, repeated(request))(socket, request);

/** The answer to a challenge; empty if it is none. */
export const repeated = ({ body }: RawRequest): string => {
  const { challenge } = JSON.parse(body) as { challenge?: string };
  return challenge === undefined ? "" : JSON.stringify({ challenge });
};
