/** MCP calls per second: this service against the SDK's stateless server and a hand-written handler, both with one tool. */

import { compileEntry, load } from "./load.ts";
import { sideBySide } from "./rounds.ts";
import { toolRequest, type ToolCall } from "./rpc.ts";
import { newDirectory, openRoom, serveCommand, start } from "./servers.ts";
import { perSecond, type Row } from "./table.ts";

const rounds = 5;
const room = "a-room-to-measure";
const trivial: ToolCall = { tool: "echo", args: { text: "Something to read." } };
const calls: [string, ToolCall][] = [
  ["meet_read, one post", { tool: "meet_read", args: { room } }],
  ["meet_rooms, one room", { tool: "meet_rooms", args: {} }],
];

const callsPerSecond = async (address: string, call: ToolCall): Promise<number> =>
  (await load(address, { requests: [toolRequest(address, call)], connections: 64, seconds: 2 })).per_second;

export async function benchMcp(): Promise<Row[]> {
  const service = await start(serveCommand(newDirectory()));
  const stock = await start([compileEntry("stock_mcp.ts")]);
  const by_hand = await start([compileEntry("json_rpc.ts")]);
  try {
    await openRoom(service.url, room, 1);
    const rows: Row[] = [];
    for (const [what, call] of calls) {
      const rates = await sideBySide(rounds, {
        service: () => callsPerSecond(`${service.url}/mcp`, call),
        stock: () => callsPerSecond(stock.url, trivial),
        by_hand: () => callsPerSecond(by_hand.url, trivial),
      });
      const row = (baseline: number, compared: string, at_least: number): Row => ({
        what: `MCP calls, 64 connections: ${what}`,
        value: perSecond(rates.service),
        compared: `${perSecond(baseline)} ${compared}`,
        ratio: rates.service / baseline,
        goal: { at_least },
      });
      rows.push(row(rates.stock, "the SDK's stock stateless server with one trivial tool", 3));
      rows.push(row(rates.by_hand, "a hand-written JSON-RPC handler with one trivial tool", 0.35));
    }
    return rows;
  } finally {
    for (const server of [service, stock, by_hand]) await server.stop();
  }
}
