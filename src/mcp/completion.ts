/** Completion of the arguments of prompts and of the variables in the URIs of resources. */

import { invalidParams, textParam } from "./errors.ts";
import type { Completers, Completion, Methods } from "./types.ts";
import { isObject } from "./protocol.ts";
import type { Prompt } from "./prompts.ts";
import type { Resources } from "./resources.ts";

/** The most values that the protocol allows in a result ("Completion"). */
export const completions_max = 100;

const nothing: Completion = { values: [], hasMore: false };

export function completionMethods(resources: Resources, prompts: Prompt[]): Methods {
  /** The completers of the prompt or resource that `ref` names. */
  function completersOf(ref: unknown): Completers {
    if (!isObject(ref)) throw invalidParams("params.ref must be an object.");
    if (ref.type === "ref/prompt") {
      const prompt = prompts.find(({ definition }) => definition.name === ref.name);
      if (prompt) return prompt.completers;
      throw invalidParams("There is no such prompt: see prompts/list.");
    }
    const is_known = resources.templates.some(({ uriTemplate }) => uriTemplate === ref.uri);
    if (ref.type === "ref/resource" && is_known) return resources.completers;
    throw invalidParams("params.ref refers to nothing here: see prompts/list and resources/templates/list.");
  }

  return {
    "completion/complete": {
      async run({ ref, argument }, { place }) {
        const completers = new Map(Object.entries(completersOf(ref)));
        if (!isObject(argument)) throw invalidParams("params.argument must be an object.");
        const complete = completers.get(textParam(argument, "name"));
        const begun = textParam(argument, "value");
        return { completion: complete ? await complete(begun, place) : nothing };
      },
    },
  };
}
