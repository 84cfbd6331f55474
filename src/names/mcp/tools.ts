/** The tool that looks up a name. */

import { memberOutput } from "../../mcp/text.ts";
import { defineTool, type Tool } from "../../mcp/tool.ts";
import type { Names } from "../names.ts";
import { leanLookup } from "../representations.ts";
import { LeanLookup } from "../../api/names/names.ts";
import { LookupInput } from "../../api/names/tools.ts";

export function nameTools(names: Names): Tool[] {
  return [
    defineTool({
      name: "name_lookup",
      title: "Look up a name",
      description: "Use to see whether and since when a name is claimed, and its last activity.",
      changes: "nothing",
      by: "anybody",
      input: LookupInput,
      output: LeanLookup,
      run: async ({ name }) => memberOutput(leanLookup(await names.lookupSeen(name))),
    }),
  ];
}
