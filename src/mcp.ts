/** What the house offers over MCP: everything at one address, the rooms alone in the lobby, each room at an address of its own. */

import { version } from "../package.json" with { type: "json" };
import { mcpPage } from "../views/mcp.tsx";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { Random } from "./random.ts";
import type { Receipts } from "./receipts/receipts.ts";
import { createConversation } from "./rooms/conversation.ts";
import { instructions, roomTools } from "./rooms/mcp.ts";
import { joinRoom } from "./rooms/mcp_prompt.ts";
import { roomResources } from "./rooms/mcp_resources.ts";
import type { Rooms } from "./rooms/rooms.ts";
import type { Sessions } from "./sessions/sessions.ts";
import { createOffer } from "./web/mcp/compose.ts";
import { createMcpDoor, type McpDoor } from "./web/mcp/door.ts";
import type { Tool } from "./web/mcp/tool.ts";

export interface HouseMcpDeps {
  rooms: Rooms;
  receipts: Receipts;
  sessions: Sessions;
  clock: Clock;
  random: Random;
  log: Log;
  originAllowed(origin: string): boolean;
}

export function createHouseMcp({ rooms, receipts, ...deps }: HouseMcpDeps): McpDoor {
  const conversation = createConversation(rooms);
  const meetTools = (own_room: boolean) => roomTools({ rooms, conversation, receipts, own_room });
  const resources = roomResources(rooms);
  const offer = (tools: Tool[], own_room = false) => ({
    ...createOffer({
      info: { name: "wharf", title: "Wharf", version },
      instructions,
      tools,
      resources,
      prompts: [joinRoom(rooms, own_room)],
      onFailure: (error) =>
        deps.log.error("mcp.call_failed", {
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
    }),
    definitions: tools.map((tool) => tool.definition),
  });
  const house = offer([...meetTools(false)]);
  const lobby = offer(meetTools(false));
  const in_room = offer(meetTools(true), true);
  const offerAt = (address: string) =>
    address === "/mcp" ? house : address === "/mcp/meet" ? lobby : in_room;
  return createMcpDoor({
    ...deps,
    offerAt,
    page: ({ base, address, room }) =>
      mcpPage({ base, address: base + address, room, tools: offerAt(address).definitions }),
  });
}
