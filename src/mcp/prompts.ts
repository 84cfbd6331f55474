/** The methods of prompts: their list, and the text of one. */

import type { Caller } from "../core/caller.ts";
import { invalidParams } from "./errors.ts";
import type { Completers, Methods, Place } from "./types.ts";
import { isObject } from "./protocol.ts";

export interface PromptDefinition {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; title?: string; description: string; required: boolean }[];
}

export interface Prompt {
  definition: PromptDefinition;
  /** The text of the prompt. `args` has every required argument. */
  words(args: Record<string, string>, place: Place, caller: Caller): Promise<string>;
  completers: Completers;
}

export function promptMethods(prompts: Prompt[]): Methods {
  const by_name = new Map<unknown, Prompt>(prompts.map((prompt) => [prompt.definition.name, prompt]));
  const list = { prompts: prompts.map(({ definition }) => definition) };
  const unknown_prompt = `There is no such prompt. There are: ${[...by_name.keys()].join(", ")}.`;

  return {
    "prompts/list": { run: () => Promise.resolve(list) },
    "prompts/get": {
      async run(params, { place }) {
        const caller = await place.caller();
        const prompt = by_name.get(params.name);
        if (!prompt) throw invalidParams(unknown_prompt);
        const { description } = prompt.definition;
        const text = await prompt.words(argumentsOf(prompt, params.arguments ?? {}), place, caller);
        return { description, messages: [{ role: "user", content: { type: "text", text } }] };
      },
    },
  };
}

/** The arguments that the prompt knows. An empty one counts as missing, because forms of clients send those. */
function argumentsOf({ definition }: Prompt, given: unknown): Record<string, string> {
  if (!isObject(given)) throw invalidParams("params.arguments must be an object.");
  const args: Record<string, string> = {};
  for (const { name, required } of definition.arguments) {
    const value = given[name] ?? "";
    if (typeof value !== "string") throw invalidParams(`The argument ${name} must be a string.`);
    if (value !== "") args[name] = value;
    else if (required) throw invalidParams(`The argument ${name} is missing.`);
  }
  return args;
}
