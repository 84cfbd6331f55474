/** An offer put together from tools, resources and prompts: one list of methods, for requests answered with the SDK and without it. */

import type { Server } from "@modelcontextprotocol/server";
import { completionMethods } from "./completion.ts";
import { RpcFailure, rpc_codes, rpcFailureOf } from "./errors.ts";
import type { Method, Offer, Place, Sdk } from "./types.ts";
import { promptMethods, type Prompt } from "./prompts.ts";
import { resourceMethods, type Resources } from "./resources.ts";
import type { Tool } from "./tool.ts";
import { toolMethods } from "./tools.ts";

export interface OfferParts {
  info: Offer["info"];
  /** What a client is told at the beginning: what this is for, and when to stop. */
  instructions: string;
  tools: Tool[];
  resources: Resources;
  prompts: Prompt[];
  onFailure(error: unknown): void;
}

const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} };

export function createOffer({ info, instructions, tools, resources, prompts, onFailure }: OfferParts): Offer {
  const methods = new Map(
    Object.entries({
      ...toolMethods(tools, onFailure),
      ...resourceMethods(resources),
      ...promptMethods(prompts),
      ...completionMethods(resources, prompts),
    }),
  );

  async function run(
    method: Method,
    params: Record<string, unknown>,
    place: Place,
    signal: AbortSignal,
  ): Promise<object> {
    try {
      return await method.run(params, place, signal);
    } catch (error) {
      const failure = rpcFailureOf(error);
      if (failure) throw failure;
      onFailure(error);
      throw new RpcFailure(rpc_codes.internal, "Something broke on our side; it has been logged. Try again.");
    }
  }

  /** Handshakes and whatever else the protocol has are the SDK's. */
  function createServer(sdk: Sdk, placeOf: (request: Request | undefined) => Place): Server {
    // The methods check their own params, so the validator that the SDK would build for each server is not needed.
    const server = new sdk.Server(info, { capabilities, instructions, jsonSchemaValidator: no_validator });
    for (const [name, method] of methods) {
      server.setRequestHandler(name as "ping", async ({ params = {} }, { mcpReq, http }) => ({
        ...(await run(method, params, placeOf(http?.req), mcpReq.signal)),
      }));
    }
    return server;
  }

  return {
    info,
    createServer,
    answer({ method: name, params = {} }, { place, signal, may_wait }) {
      const method = methods.get(name);
      if (!method) return null;
      if (method.waits?.(params)) {
        if (!may_wait) return null;
        place.keepOpen();
      }
      return run(method, params, place, signal);
    },
    topic: resources.topic,
  };
}

const no_validator = {
  getValidator: () => (input: unknown) => ({
    valid: true as const,
    data: input as never,
    errorMessage: undefined,
  }),
};
