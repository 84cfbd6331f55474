/** A handshake with an MCP server that is a program. */

import { messageOf } from "../../core/log.ts";
import type { Wiring } from "./host.ts";
import { shellLine } from "./own_command.ts";

/** How long the server may take to answer. */
const answer_ms_max = 20_000;
const protocol_version = "2025-06-18";

const messages = [
  {
    ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
    params: {
      protocolVersion: protocol_version,
      capabilities: {},
      clientInfo: { name: "wharf setup", version: "1" },
    },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 2, method: "tools/list" },
];

/** Starts the server and lists its tools. Returns how many it has. Throws a user-facing error if it has none, or does not answer. */
export async function shakeHands(words: string[], { home, environment }: Wiring): Promise<number> {
  const child = started(words, home, environment);
  const errors = new Response(child.stderr).text();
  try {
    void child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
    await child.stdin.flush();
    for await (const line of linesOf(child.stdout)) {
      const { id, result } = JSON.parse(line) as { id?: number; result?: { tools?: unknown[] } };
      if (id === 2 && result?.tools?.length) return result.tools.length;
    }
  } finally {
    child.kill();
  }
  const said = (await errors).trim();
  throw new Error(`'${shellLine(words)}' lists no tools${said === "" ? "." : `: ${said}`}`);
}

function started(words: string[], cwd: string, env: Wiring["environment"]) {
  try {
    return Bun.spawn(words, {
      cwd,
      env,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
      timeout: answer_ms_max,
    });
  } catch (error) {
    throw new Error(`'${shellLine(words)}' cannot be started: ${messageOf(error)}.`, { cause: error });
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    yield* lines.filter((line) => line.trim() !== "");
  }
}
