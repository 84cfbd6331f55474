/**
 * The MCP addresses: /mcp and /mcp/account with all tools, /mcp/meet with the tools of rooms, /mcp/meet/{room} with the tools of one
 * room.
 */

import { version } from "../../package.json" with { type: "json" };
import { titleOf } from "../core/about.ts";
import type { Feature } from "../discovery/feature.ts";
import { aboutInstruction } from "../discovery/about.ts";
import { policyInstruction } from "../discovery/policy.ts";
import { mcpAnswer, type McpAddress } from "../discovery/mcp_address.ts";
import type { Hints } from "../core/hints.ts";
import type { Idempotency } from "../core/idempotency.ts";
import type { Meter } from "../core/meter.ts";
import { speakersHaveNames, type Policy } from "../core/policy.ts";
import type { Receipts } from "../receipts/receipts.ts";
import { createConversation } from "../rooms/conversation.ts";
import { instructions as room_instructions, roomTools } from "../rooms/mcp/tools.ts";
import { joinRoom } from "../rooms/mcp/prompt.ts";
import { leaseTools } from "../rooms/leases/mcp/tools.ts";
import { readersOf } from "../rooms/mcp/readers.ts";
import { roomResources } from "../rooms/mcp/resources.ts";
import type { Leases } from "../rooms/leases/leases.ts";
import type { Rooms } from "../rooms/rooms.ts";
import type { Http } from "../web/context.ts";
import { account_path } from "../api/account.ts";
import { markdownTwin } from "../web/responses.ts";
import { createEndpoint } from "../mcp/dispatch.ts";
import { createErrorBoundary } from "../mcp/error_boundary.ts";
import { listedOf } from "../mcp/former_tools.ts";
import { createMcpTransport, type McpTransport, type McpTransportDeps } from "../mcp/transport.ts";
import { protocol_versions } from "../mcp/protocol.ts";
import { briefly, type Tool } from "../mcp/tool.ts";
import type { Navigation } from "../api/pages.ts";

interface AppMcpDeps extends Omit<McpTransportDeps, "errors" | "endpointAt" | "readers" | "page"> {
  features: Feature[];
  /** Rooms have addresses of their own. */
  rooms: Rooms;
  leases: Leases;
  receipts: Receipts;
  idempotency: Idempotency;
  navigation: Navigation;
  siteOf: Http["siteOf"];
  policy: Policy;
  meter: Meter;
  /** What callers of tools do next after an error. */
  hints: Hints;
}

export interface AppMcp {
  transport: McpTransport;
  /** The description of the address with this path. `room`: its room, or null. */
  at(path: string, room?: string | null): McpAddress;
}

export function createAppMcp({
  features,
  rooms,
  leases,
  receipts,
  idempotency,
  navigation,
  siteOf,
  policy,
  hints,
  ...deps
}: AppMcpDeps): AppMcp {
  const errors = createErrorBoundary(deps.log, hints, deps.meter);
  const conversation = createConversation(rooms);
  const meetTools = (own_room: boolean) => roomTools({ rooms, conversation, receipts, own_room });
  const resources = roomResources(rooms);
  const { about } = navigation;
  const names_only = speakersHaveNames(policy);
  const added = policyInstruction(policy) + aboutInstruction(about);
  const endpoint = (tools: Tool[], { own_room = false, instructions: own = room_instructions } = {}) => {
    const instructions = own + added;
    const prompts = [joinRoom({ rooms, own_room, names_only })];
    return {
      ...createEndpoint({
        info: { name: "wharf", title: titleOf(about), version },
        instructions,
        tools,
        resources,
        prompts,
        errors,
        idempotency,
        clock: deps.clock,
      }),
      described: () => ({
        instructions,
        tools: listedOf(tools),
        templates: resources.templates,
        prompts: prompts.map(({ definition }) => definition),
      }),
    };
  };
  const all = endpoint(
    features.flatMap(({ tools }) => tools.map(briefly)),
    { instructions: serviceInstructions(features) },
  );
  const lobby = endpoint(meetTools(false));
  // A lease belongs to a room. At the lobby nobody has chosen one.
  const in_room = endpoint([...meetTools(true), ...leaseTools({ leases, own_room: true })], {
    own_room: true,
  });
  const endpointAt = (address: string) =>
    address === "/mcp" || address === account_path ? all : address === "/mcp/meet" ? lobby : in_room;
  const at = (path: string, room: string | null = null): McpAddress => {
    const { info, described } = endpointAt(path);
    return {
      path,
      room,
      about,
      is_open: !names_only,
      has_account: policy.oauth,
      info,
      ...described(),
      versions: protocol_versions,
    };
  };
  const transport = createMcpTransport({
    ...deps,
    errors,
    endpointAt,
    readers: readersOf(rooms),
    async page(request, { base, address, room, caller }) {
      const twin = room === null ? null : markdownTwin(room);
      // Throws `room_not_found`: only existing rooms have a page.
      if (twin) await rooms.find(await rooms.admit(await caller(), twin.name));
      const path = twin?.is_markdown ? markdownTwin(address).name : address;
      return mcpAnswer(
        request,
        await siteOf({ caller: await caller(), base }),
        at(path, twin?.name ?? null),
        twin?.is_markdown ?? false,
      );
    },
  });
  return { transport, at };
}

/** The instructions for rooms, followed by a line for each other feature. */
const serviceInstructions = (features: Feature[]): string =>
  [
    room_instructions,
    "Beside the rooms:",
    ...features.flatMap(({ instruction }) => (instruction === undefined ? [] : `- ${instruction}`)),
  ].join("\n");
