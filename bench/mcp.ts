/** MCP calls a second: this service's tools against the SDK's stock stateless server with one trivial tool, side by side. */

import { join } from "node:path";
import { callsPerSecond } from "./mcp/load.ts";
import { sideBySide } from "./rounds.ts";
import { newDirectory, openRoom, serveCommand, start } from "./servers.ts";
import { perSecond, type Row } from "./table.ts";

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

/** The service's tools against the stock server's, in calls a second. */
export async function benchMcp(): Promise<Row[]> {
  const service = await start(serveCommand(newDirectory()));
  const stock = await start(["bun", join(import.meta.dir, "mcp/stock.ts")]);
  const room = "a-room-to-measure";
  const trivial = toolCall(stock.url, { tool: "echo", args: { text: "Something to read." } });
  const calls: [string, Call][] = [
    ["meet_read, one post", { tool: "meet_read", args: { room } }],
    ["meet_rooms, one room", { tool: "meet_rooms", args: {} }],
  ];
  try {
    await openRoom(service.url, room, 1);
    const rows: Row[] = [];
    for (const [what, call] of calls) {
      const rates = await sideBySide(rounds, {
        stock: () => callsPerSecond(trivial),
        service: () => callsPerSecond(toolCall(`${service.url}/mcp/meet`, call)),
      });
      rows.push({
        what: `MCP calls, 64 connections: ${what}`,
        value: perSecond(rates.service),
        compared: `${perSecond(rates.stock)} the SDK's stock stateless server with one trivial tool`,
        ratio: rates.service / rates.stock,
        goal: { at_least: 2 },
      });
    }
    return rows;
  } finally {
    await stock.stop();
    await service.stop();
  }
}
