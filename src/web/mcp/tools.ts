/** Tools as an offer: their list is made once, and a call goes to its tool whichever way it came. */

import type { Server } from "@modelcontextprotocol/server";
import { ServiceError } from "../../errors.ts";
import type { Exchange, Offer, Place, Sdk } from "./offer.ts";
import { isObject } from "./plain.ts";
import { refused, type Tool, type ToolResult } from "./tool.ts";

export interface ToolOffer {
  info: Offer["info"];
  /** What a client is told at the beginning: what this is for, and when to stop. */
  instructions: string;
  tools: Tool[];
  onFailure(error: unknown): void;
}

export function offerTools({ info, instructions, tools, onFailure }: ToolOffer): Offer {
  const by_name = new Map(tools.map((tool) => [tool.definition.name, tool]));
  const list = { tools: tools.map((tool) => tool.definition) };
  const options = { capabilities: { tools: {} }, instructions };

  async function call(tool: Tool, args: unknown, place: Place, signal: AbortSignal): Promise<ToolResult> {
    try {
      const caller = await place.caller(tool.credential(args));
      return await tool.call(args, { caller, base: place.base, room: place.room, signal });
    } catch (error) {
      if (error instanceof ServiceError) return refused(error, {}, tool.definition.name);
      onFailure(error);
      return broken;
    }
  }

  /** The list and the calls; handshakes and everything else are the SDK's. */
  function createServer(sdk: Sdk, placeOf: (request: Request | undefined) => Place): Server {
    // The tools check their own arguments, so the validator that the SDK would build for each server is not needed.
    const server = new sdk.Server(info, { ...options, jsonSchemaValidator: no_validator });
    server.setRequestHandler("tools/list", () => list);
    server.setRequestHandler("tools/call", async ({ params }, { mcpReq, http }) => {
      const tool = by_name.get(params.name);
      if (!tool) throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, unknown_tool);
      return { ...(await call(tool, params.arguments, placeOf(http?.req), mcpReq.signal)) };
    });
    return server;
  }

  const unknown_tool = `There is no such tool. There are: ${[...by_name.keys()].join(", ")}.`;

  return {
    info,
    createServer,
    answer({ method, params = {} }, { place, signal, may_wait }: Exchange) {
      if (method === "tools/list") return Promise.resolve(list);
      if (method !== "tools/call") return null;
      const tool = by_name.get(String(params.name));
      const args = params.arguments ?? {};
      if (!tool || !isObject(args)) return null;
      if (tool.waits(args)) {
        if (!may_wait) return null;
        place.keepOpen();
      }
      return call(tool, args, place, signal);
    },
  };
}

const broken: ToolResult = {
  content: [
    {
      type: "text",
      text: "Refused (internal): something broke on our side; it has been logged.\nNext: make the same call again.",
    },
  ],
  isError: true,
};

const no_validator = {
  getValidator: () => (input: unknown) => ({
    valid: true as const,
    data: input as never,
    errorMessage: undefined,
  }),
};
