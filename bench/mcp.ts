/** MCP calls a second: this service's tools against the SDK's stock stateless server with one trivial tool, side by side. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callsPerSecond } from "./mcp/load.ts";

export interface Comparison {
  name: string;
  /** Calls a second of this service. */
  value: number;
  /** Calls a second of the stock server in the same run. */
  baseline: number;
  ratio: number;
}

interface Call {
  tool: string;
  args: object;
}

const connections = 64;
const rounds = 3;
const seconds = 2;

/** A tool call of revision 2026-07-28, which the stock server answers fastest. */
function toolCall(url: string, { tool, args }: Call) {
  const prefix = "io.modelcontextprotocol/";
  const meta = {
    [`${prefix}protocolVersion`]: "2026-07-28",
    [`${prefix}clientInfo`]: { name: "bench", version: "1.0.0" },
    [`${prefix}clientCapabilities`]: {},
  };
  const params = { name: tool, arguments: args, _meta: meta };
  return {
    url,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": tool,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    connections,
    seconds,
  };
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** Starts a program that says where it serves. */
async function start(...command: string[]): Promise<{ url: string; stop(): Promise<void> }> {
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
  const decoder = new TextDecoder();
  let output = "";
  for await (const chunk of child.stdout) {
    output += decoder.decode(chunk, { stream: true });
    if (/serving at http\S+/.test(output)) break;
  }
  const url = /serving at (http:\/\/[^/\s]+)/.exec(output)![1]!;
  const stop = async () => {
    child.kill("SIGTERM");
    await child.exited;
  };
  return { url, stop };
}

/** Measures in interleaved rounds; the medians are compared. `wharf` is the command that runs the service. */
export async function benchMcp(wharf: string[] = ["bun", "src/main.ts"]): Promise<Comparison[]> {
  const directory = mkdtempSync(join(tmpdir(), "wharf-bench-mcp-"));
  const service = await start(...wharf, "serve", "--port", "0", "--no-rate-limit", "--data-dir", directory);
  const stock = await start("bun", join(import.meta.dir, "mcp/stock.ts"));
  try {
    await fetch(`${service.url}/api/meet/rooms`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ goal: "A room to measure", name: "Bench" }),
    });
    const room = "a-room-to-measure";
    const post = { tool: "meet_speak", args: { room, name: "Bench", body: "Something to read." } };
    await sendOnce(`${service.url}/mcp/meet`, post);
    const trivial = toolCall(stock.url, { tool: "echo", args: { text: "Something to read." } });
    const calls: [string, Call][] = [
      ["meet_read, one post", { tool: "meet_read", args: { room } }],
      ["meet_rooms, one room", { tool: "meet_rooms", args: {} }],
    ];
    const results: Comparison[] = [];
    for (const [name, call] of calls) {
      const [values, baselines]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        baselines.push(await callsPerSecond(trivial));
        values.push(await callsPerSecond(toolCall(`${service.url}/mcp/meet`, call)));
      }
      const [value, baseline] = [median(values), median(baselines)];
      results.push({ name, value, baseline, ratio: value / baseline });
    }
    return results;
  } finally {
    await stock.stop();
    await service.stop();
    rmSync(directory, { recursive: true });
  }
}

async function sendOnce(url: string, call: Call): Promise<void> {
  const { headers, body } = toolCall(url, call);
  const response = await fetch(url, { method: "POST", headers, body });
  if (!response.ok) throw new Error(await response.text());
  await response.body?.cancel();
}

if (import.meta.main) {
  for (const { name, value, baseline, ratio } of await benchMcp()) {
    console.log(`${name}: ${Math.round(value)}/s, stock ${Math.round(baseline)}/s, ${ratio.toFixed(2)}×`);
  }
}
