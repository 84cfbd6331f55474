/** The methods of tools: their list is made once, and a call goes to its tool whichever way it came. */

import { ServiceError } from "../core/errors.ts";
import { invalidParams } from "./errors.ts";
import type { Methods, Place } from "./types.ts";
import { isObject } from "./protocol.ts";
import { refused, type Tool, type ToolResult } from "./tool.ts";

export function toolMethods(tools: Tool[], onFailure: (error: unknown) => void): Methods {
  const by_name = new Map(tools.map((tool) => [tool.definition.name, tool]));
  const list = { tools: tools.map((tool) => tool.definition) };
  const unknown_tool = `There is no such tool. There are: ${[...by_name.keys()].join(", ")}.`;

  const toolIn = (params: Record<string, unknown>) => by_name.get(String(params.name));
  const argumentsIn = (params: Record<string, unknown>) => params.arguments ?? {};

  async function call(
    tool: Tool,
    args: Record<string, unknown>,
    place: Place,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    let close = () => {};
    try {
      tool.refuseKeys(args);
      if (tool.waits(args)) close = place.open("stream");
      const caller = await place.caller(tool.credential(args));
      return await tool.call(args, { caller, base: place.base, room: place.room, signal });
    } catch (error) {
      if (error instanceof ServiceError) return refused(error, {}, tool.definition.name);
      onFailure(error);
      return broken;
    } finally {
      close();
    }
  }

  return {
    "tools/list": { run: () => Promise.resolve(list) },
    "tools/call": {
      async run(params, place, signal) {
        const tool = toolIn(params);
        if (!tool) throw invalidParams(unknown_tool);
        const args = argumentsIn(params);
        if (!isObject(args)) throw invalidParams("params.arguments must be an object.");
        return call(tool, args, place, signal);
      },
      waits(params) {
        const args = argumentsIn(params);
        return isObject(args) && (toolIn(params)?.waits(args) ?? false);
      },
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
