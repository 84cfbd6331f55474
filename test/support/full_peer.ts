/** A server whose queue of connections is full, so that the next one waits for it. Python sets the length of the queue; Bun does not. */

import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { started } from "./leftovers.ts";

/** Prints its port; after a line, prints what each connection sends within a second, in JSON, and ends when no more come. */
const program = `
import json, socket, sys
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen(0)
print(s.getsockname()[1], flush=True)
sys.stdin.readline()
s.settimeout(2)
received = []
try:
  while True:
    connection, _ = s.accept()
    connection.settimeout(1)
    try:
      received.append(connection.recv(4096).decode("latin1"))
    except OSError:
      pass
except OSError:
  print(json.dumps([text for text in received if text]), flush=True)
`;

export async function startFullPeer() {
  const child = Bun.spawn(["python3", "-c", program], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
  started.push(child);
  const reader = child.stdout.getReader();
  let text = "";
  const line = async (): Promise<string> => {
    while (!text.includes("\n")) text += new TextDecoder().decode((await reader.read()).value);
    const [first = ""] = text.split("\n");
    text = text.slice(first.length + 1);
    return first;
  };
  const port = Number(await line());
  const established = await opened(port);
  return {
    port,
    /** Resolves when a connection waits. */
    async waiting(): Promise<void> {
      while (!isWaiting(port)) await Bun.sleep(1);
    },
    /** Accepts connections. Returns what they sent. */
    async received(): Promise<string[]> {
      established.destroy();
      void child.stdin.write("\n");
      void child.stdin.flush();
      return JSON.parse(await line()) as string[];
    },
  };
}

function opened(port: number) {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  return new Promise<typeof socket>((resolve) => socket.once("connect", () => resolve(socket)));
}

/** Whether a connection to the port has sent its SYN and got no answer (state 02). */
function isWaiting(port: number): boolean {
  const target = `:${port.toString(16).toUpperCase().padStart(4, "0")} 02 `;
  return readFileSync("/proc/net/tcp", "latin1").includes(target);
}
