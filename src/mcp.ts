/** What the house offers over MCP: everything at one address, the rooms alone in the lobby, each room at an address of its own. */

import { version } from "../package.json" with { type: "json" };
import { mcpAnswer, type McpAddress } from "./guide/mcp_address.ts";
import type { Log } from "./log.ts";
import type { Random } from "./random.ts";
import type { Receipts } from "./receipts/receipts.ts";
import { createConversation } from "./rooms/conversation.ts";
import { instructions, roomTools } from "./rooms/mcp.ts";
import type { Rooms } from "./rooms/rooms.ts";
import type { Sessions } from "./sessions/sessions.ts";
import { markdownTwin } from "./web/answers.ts";
import { createMcpDoor, type McpDoor } from "./web/mcp/door.ts";
import { protocol_versions } from "./web/mcp/plain.ts";
import type { Tool } from "./web/mcp/tool.ts";
import { offerTools } from "./web/mcp/tools.ts";

export interface HouseMcpDeps {
  rooms: Rooms;
  receipts: Receipts;
  sessions: Sessions;
  random: Random;
  log: Log;
  originAllowed(origin: string): boolean;
}

export interface HouseMcp {
  door: McpDoor;
  /** What stands at the address with this path; `room` is the room whose address it is, or null. */
  at(path: string, room?: string | null): McpAddress;
}

export function createHouseMcp({ rooms, receipts, ...deps }: HouseMcpDeps): HouseMcp {
  const conversation = createConversation(rooms);
  const meetTools = (own_room: boolean) => roomTools({ rooms, conversation, receipts, own_room });
  const offer = (tools: Tool[]) => ({
    ...offerTools({
      info: { name: "wharf", title: "Wharf", version },
      instructions,
      tools,
      onFailure: (error) =>
        deps.log.error("mcp.tool_failed", {
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
    }),
    definitions: tools.map((tool) => tool.definition),
  });
  const house = offer([...meetTools(false)]);
  const lobby = offer(meetTools(false));
  const in_room = offer(meetTools(true));
  const offerAt = (address: string) =>
    address === "/mcp" ? house : address === "/mcp/meet" ? lobby : in_room;
  const at = (path: string, room: string | null = null): McpAddress => {
    const { info, definitions } = offerAt(path);
    return { path, room, info, instructions, tools: definitions, versions: protocol_versions };
  };
  const door = createMcpDoor({
    ...deps,
    offerAt,
    page(request, { base, address, room }) {
      const twin = room === null ? null : markdownTwin(room);
      const path = twin?.is_markdown ? markdownTwin(address).name : address;
      return mcpAnswer(request, base, at(path, twin?.name ?? null), twin?.is_markdown ?? false);
    },
  });
  return { door, at };
}
