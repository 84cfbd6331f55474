/** What the house offers over MCP: everything at one address, the rooms alone in the lobby, each room at an address of its own. */

import { version } from "../package.json" with { type: "json" };
import { beaconTools } from "./beacon/mcp.ts";
import type { Beacon } from "./beacon/beacon.ts";
import { mcpAnswer, type McpAddress } from "./guide/mcp_address.ts";
import { jobTools } from "./jobs/mcp.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { Lockers } from "./locker/locker.ts";
import { lockerTools } from "./locker/mcp.ts";
import type { Log } from "./log.ts";
import type { Mailboxes } from "./mailbox/mailbox.ts";
import { mailboxTools } from "./mailbox/mcp.ts";
import { houseInstructions } from "./mcp_instructions.ts";
import { nameTools } from "./names/mcp.ts";
import type { Names } from "./names/names.ts";
import type { Random } from "./random.ts";
import { receiptTools } from "./receipts/mcp.ts";
import type { Receipts } from "./receipts/receipts.ts";
import { createConversation } from "./rooms/conversation.ts";
import { instructions, roomTools } from "./rooms/mcp.ts";
import type { Rooms } from "./rooms/rooms.ts";
import type { Sessions } from "./sessions/sessions.ts";
import { markdownTwin } from "./web/answers.ts";
import { createMcpDoor, type McpDoor } from "./web/mcp/door.ts";
import { protocol_versions } from "./web/mcp/plain.ts";
import { briefly, type Tool } from "./web/mcp/tool.ts";
import { offerTools } from "./web/mcp/tools.ts";

export interface HouseMcpDeps {
  rooms: Rooms;
  names: Names;
  lockers: Lockers;
  jobs: Jobs;
  mailboxes: Mailboxes;
  beacon: Beacon;
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
  const offer = (tools: Tool[], said = instructions) => ({
    ...offerTools({
      info: { name: "wharf", title: "Wharf", version },
      instructions: said,
      tools,
      onFailure: (error) =>
        deps.log.error("mcp.tool_failed", {
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
    }),
    instructions: said,
    definitions: tools.map((tool) => tool.definition),
  });
  const house_tools = [
    ...meetTools(false),
    ...nameTools(deps.names, receipts),
    ...lockerTools(deps.lockers),
    ...jobTools(deps.jobs),
    ...mailboxTools(deps.mailboxes),
    ...beaconTools(deps.beacon),
    ...receiptTools(receipts),
  ];
  const house = offer(house_tools.map(briefly), houseInstructions(instructions));
  const lobby = offer(meetTools(false));
  const in_room = offer(meetTools(true));
  const offerAt = (address: string) =>
    address === "/mcp" ? house : address === "/mcp/meet" ? lobby : in_room;
  const at = (path: string, room: string | null = null): McpAddress => {
    const { info, instructions, definitions } = offerAt(path);
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
