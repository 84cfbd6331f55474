/** A receiver of datagrams at a unix socket, as a service manager has it. Python has such sockets; Bun has none. */

import { readFileSync } from "node:fs";
import { started } from "./leftovers.ts";

export interface Datagrams {
  /** The next datagram. */
  next(): Promise<string>;
  /** The time since the machine booted, without sleep, in microseconds. */
  uptimeMicroseconds(): number;
  stop(): void;
}

const receiver = `
import json, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1].replace("@", "\\0", 1))
print(json.dumps("bound"), flush=True)
while True:
    print(json.dumps(s.recv(65536).decode()), flush=True)
`;

/** Binds a socket at `path`; one that begins with `@` is abstract. */
export async function receiveDatagrams(path: string): Promise<Datagrams> {
  const child = Bun.spawn(["python3", "-c", receiver, path], { stdout: "pipe", stderr: "inherit" });
  started.push(child);
  const lines = linesOf(child.stdout);
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error("The receiver has ended.");
    return JSON.parse(value) as string;
  };
  await next();
  return {
    next,
    uptimeMicroseconds: () => Number.parseFloat(readFileSync("/proc/uptime", "latin1")) * 1e6 + 1e5,
    stop: () => child.kill("SIGKILL"),
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split("\n");
    text = lines.pop()!;
    yield* lines;
  }
}
