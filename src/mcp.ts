/** What the house offers over MCP: everything at one address, the rooms alone in the lobby, each room at an address of its own. */

import { version } from "../package.json" with { type: "json" };
import { mcpPage } from "../views/mcp.tsx";
import { jobTools } from "./jobs/mcp.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { Log } from "./log.ts";
import type { Mailboxes } from "./mailbox/mailbox.ts";
import { mailboxTools } from "./mailbox/mcp.ts";
import type { Random } from "./random.ts";
import type { Receipts } from "./receipts/receipts.ts";
import { createConversation } from "./rooms/conversation.ts";
import { instructions, roomTools } from "./rooms/mcp.ts";
import type { Rooms } from "./rooms/rooms.ts";
import type { Sessions } from "./sessions/sessions.ts";
import { createMcpDoor, type McpDoor } from "./web/mcp/door.ts";
import type { Tool } from "./web/mcp/tool.ts";
import { offerTools } from "./web/mcp/tools.ts";

export interface HouseMcpDeps {
  rooms: Rooms;
  jobs: Jobs;
  mailboxes: Mailboxes;
  receipts: Receipts;
  sessions: Sessions;
  random: Random;
  log: Log;
  originAllowed(origin: string): boolean;
}

export function createHouseMcp({ rooms, jobs, mailboxes, receipts, ...deps }: HouseMcpDeps): McpDoor {
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
  const house = offer([...meetTools(false), ...jobTools(jobs), ...mailboxTools(mailboxes)]);
  const lobby = offer(meetTools(false));
  const in_room = offer(meetTools(true));
  const offerAt = (address: string) =>
    address === "/mcp" ? house : address === "/mcp/meet" ? lobby : in_room;
  return createMcpDoor({
    ...deps,
    offerAt,
    page: ({ base, address, room }) =>
      mcpPage({ base, address: base + address, room, tools: offerAt(address).definitions }),
  });
}
