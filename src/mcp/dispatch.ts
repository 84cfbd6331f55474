/** The endpoint made of tools, resources and prompts: one table of methods, which plain requests and the servers of the SDK share. */

import type { Server } from "@modelcontextprotocol/server";
import type { Clock } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Idempotency } from "../core/idempotency.ts";
import { unlessEnded } from "../core/open_calls.ts";
import { whenReady, type Ready } from "../core/ready.ts";
import { completionMethods } from "./completion.ts";
import type { ErrorBoundary } from "./error_boundary.ts";
import { invalidParams, RpcFailure } from "./errors.ts";
import { listedOf } from "./former_tools.ts";
import { mcp_limits } from "./limits.ts";
import { isObject } from "./protocol.ts";
import type { Endpoint, Method, MethodCall, Methods, Notify, Place, Sdk } from "./types.ts";
import { progressTokenIn, secondsCut, sendProgress, type Patience } from "./progress.ts";
import { promptMethods, type Prompt } from "./prompts.ts";
import { runFreeing } from "./result_memory.ts";
import { refuseWrongParams } from "./refused_params.ts";
import { resourceMethods, type Resources } from "./resources.ts";
import type { Tool, ToolDefinition, ToolResult } from "./tool.ts";
import { toolMeant } from "./tool_names.ts";

interface EndpointParts {
  info: Endpoint["info"];
  /** Sent to a client in the handshake: the purpose of the tools, and when to stop. */
  instructions: string;
  tools: Tool[];
  resources: Resources;
  prompts: Prompt[];
  errors: ErrorBoundary;
  idempotency: Pick<Idempotency, "run">;
  clock: Clock;
}

const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} };

export function createEndpoint(parts: EndpointParts): Endpoint {
  const { info, instructions, resources, prompts, errors } = parts;
  const methods = new Map(
    Object.entries({
      ...toolMethods(parts),
      ...errors.methods(
        forReaders({
          ...resourceMethods(resources),
          ...promptMethods(prompts),
          ...completionMethods(resources, prompts),
        }),
      ),
    }),
  );

  /** The SDK implements handshakes and everything that is not in the table of methods. */
  function createServer(
    sdk: Sdk,
    placeOf: (request: Request | undefined) => Place,
    more: Methods = {},
  ): Server {
    // The methods check their own params, so the validator that the SDK would build for each server is not needed.
    const server = new sdk.Server(info, { capabilities, instructions, jsonSchemaValidator: no_validator });
    refuseWrongParams(server);
    for (const [name, method] of [...methods, ...Object.entries(more)]) {
      server.setRequestHandler(name as "ping", async ({ params = {} }, { mcpReq, http }) => {
        // It fails if the client has left, which the signal of the call says, too.
        const notify: Notify = (message) => void mcpReq.notify(message as never).catch(() => {});
        const call = { place: placeOf(http?.req), signal: () => mcpReq.signal, notify };
        const result = await runFreeing(method, params, call);
        if (result instanceof RpcFailure) throw result;
        return { ...result };
      });
    }
    return server;
  }

  const waits = (name: string, params: Record<string, unknown>): boolean =>
    methods.get(name)?.waits?.(params) ?? false;

  return {
    info,
    createServer,
    waits: ({ method, params = {} }) => waits(method, params),
    answer({ method: name, params = {} }, exchange) {
      const method = methods.get(name);
      if (!method) return null;
      if (method.waits?.(params)) {
        if (!exchange.may_wait) return null;
        exchange.place.keepOpen();
      }
      return runFreeing(method, params, exchange);
    },
    async repeatable(message, place, once) {
      const params = await methods.get(message.method)?.repeatable?.(message.params ?? {}, place, once);
      return params ? { ...message, params } : null;
    },
    follow: resources.follow,
  };
}

/** The methods that say what an address offers, also to a visitor. Every other method reads. */
const open_methods = new Set(["prompts/list", "resources/templates/list"]);

/** The same methods. Those that read throw `credential_required` for a visitor. */
const forReaders = (methods: Methods): Methods =>
  Object.fromEntries(
    Object.entries(methods).map(([name, method]) => {
      if (open_methods.has(name)) return [name, method];
      const run: Method["run"] = async (params, call) => {
        await call.place.caller();
        return method.run(params, call);
      };
      return [name, { ...method, run }];
    }),
  );

/** The methods of tools. Their list is built once, at first use. */
function toolMethods({ tools, errors, idempotency, clock }: EndpointParts): Methods {
  const by_name = new Map<unknown, Tool>(tools.map((tool) => [tool.name, tool]));
  let list: { tools: ToolDefinition[] } | undefined;
  const listed = () => (list ??= { tools: listedOf(tools) });
  const unknownTool = (name: unknown): string => {
    const names = listed().tools.map((tool) => tool.name);
    const meant = toolMeant(name, names);
    return `There is no such tool. ${meant ? `Did you mean ${meant}?` : `There are: ${names.join(", ")}.`}`;
  };
  const argumentsIn = (params: Record<string, unknown>) => params.arguments ?? {};

  /** Calls a tool that does not wait: without a promise if everything is in memory. */
  function runNow(
    tool: Tool,
    args: Record<string, unknown>,
    { place, reserve }: MethodCall,
  ): Ready<ToolResult | RpcFailure> {
    const { name } = tool;
    const failed = (error: unknown) => errors.tool(place, name, error);
    const answered = (result: ToolResult) => {
      errors.answered(name);
      return result;
    };
    try {
      tool.refuseKeys(args);
      const { base, room } = place;
      const result = whenReady(place.caller(tool.credential(args)), (caller) =>
        tool.call(args, { caller, base, room, reserve, open: undefined, shows_progress: false }, idempotency),
      );
      return result instanceof Promise ? result.then(answered, failed) : answered(result);
    } catch (error) {
      return failed(error);
    }
  }

  async function runWaiting(
    tool: Tool,
    args: Record<string, unknown>,
    params: Record<string, unknown>,
    { place, signal, notify, reserve }: MethodCall,
  ): Promise<ToolResult | RpcFailure> {
    const { name } = tool;
    const chars_max = mcp_limits.mcp_unknown_arguments_chars_max;
    if (tool.unknownChars(args) > chars_max) {
      const max = chars_max.toLocaleString("en");
      return invalidParams(`Arguments that ${name} does not know have at most ${max} characters.`);
    }
    let stopProgress = () => {};
    const token = notify && place.takes_streams ? progressTokenIn(params) : null;
    const patience: Patience = { shows_progress: token !== null, open: undefined };
    try {
      tool.refuseKeys(args);
      const caller = await place.caller(tool.credential(args));
      const open = (patience.open = place.open("stream", caller, signal()));
      if (token !== null) stopProgress = sendProgress(clock, params, token, notify!);
      const { base, room } = place;
      const at = { ...patience, caller, base, room, reserve };
      const result = await unlessEnded(open, () => tool.call(args, at, idempotency));
      errors.answered(name);
      return result;
    } catch (error) {
      return errors.tool(place, name, error, secondsCut(args, patience));
    } finally {
      stopProgress();
      patience.open?.close();
    }
  }

  return {
    "tools/list": {
      run: () => Promise.resolve(listed()),
    },
    "tools/call": {
      run(params, call) {
        const tool = by_name.get(params.name);
        const args = argumentsIn(params);
        if (!tool) return invalidParams(unknownTool(params.name));
        if (!isObject(args)) return invalidParams("params.arguments must be an object.");
        return tool.waits(args) ? runWaiting(tool, args, params, call) : runNow(tool, args, call);
      },
      waits(params) {
        const args = argumentsIn(params);
        return isObject(args) && (by_name.get(params.name)?.waits(args) ?? false);
      },
      async repeatable(params, place, once) {
        const tool = by_name.get(params.name);
        const args = argumentsIn(params);
        if (!tool || !isObject(args) || !tool.waits(args)) return null;
        try {
          const caller = await place.caller(tool.credential(args));
          return { ...params, arguments: await tool.repeatable(args, caller, once) };
        } catch (error) {
          // The call itself is refused for the same reason.
          if (error instanceof ServiceError) return null;
          throw error;
        }
      },
    },
  };
}

const no_validator = {
  getValidator: () => (input: unknown) => ({
    valid: true as const,
    data: input as never,
    errorMessage: undefined,
  }),
};
