/** A tool: what it says of itself, how its arguments are checked, how results and refusals are told. */

import { Type, type Static, type TObject } from "@sinclair/typebox";
import type { Caller, Credential } from "../core/caller.ts";
import type { Hints } from "../core/errors.ts";
import { refuseSecretsIn } from "../core/secrets.ts";
import { checkBy } from "../web/problems.ts";
import { inputSchema, outline, outputSchema, type OutputSchema } from "./json_schema.ts";
import { ignoredText, knownFields } from "../web/known_fields.ts";
import { isObject } from "./protocol.ts";

export interface ToolCall {
  caller: Caller;
  /** The base that links begin with. */
  base: string;
  /** The room whose address was called; null at the lobby. */
  room: string | null;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** A result, in both forms in which a model may be shown it: each says everything. */
export interface Told<Output> {
  structured: Output;
  text: string;
}

export interface ToolResult {
  content: { type: "text"; text: string }[];
  structuredContent?: object;
  isError?: true;
}

export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
  inputSchema: { type: "object" };
  outputSchema: OutputSchema;
}

export interface Tool {
  definition: ToolDefinition;
  /** Throws `contains_key` if a key of this service is among the arguments where none belongs. */
  refuseKeys(args: unknown): void;
  /** The credential among the arguments of a call, if there is one. */
  credential(args: unknown): Credential | undefined;
  /** Whether a call with these arguments may take its time. */
  waits(args: Record<string, unknown>): boolean;
  /** What to call next after an error, by code or `code.situation`. */
  next_calls: Hints;
  /** Checks the arguments and runs the tool. Throws ServiceError. */
  call(args: unknown, at: ToolCall): Promise<ToolResult>;
}

/** What to call next after a refusal, in the words of tools. */
export type NextCalls = Hints;

export interface ToolSpec<Input extends TObject, Output extends TObject> {
  name: string;
  title: string;
  description: string;
  /** What a call changes: nothing, or it adds something, or it takes something away for good. */
  changes: "nothing" | "adds" | "removes";
  /** Whether a call made again changes nothing more. Left out: only of tools that change nothing. */
  repeatable?: boolean;
  /** Who may call: anybody, anybody under a name (a claimed one with its key), or only the holder of a claimed name. */
  by: "anybody" | "a name" | "a claimed name";
  input: Input;
  /** The argument that may hold a key of this service, beside `key`; the operation says when it may. */
  key_belongs_in?: string;
  output: Output;
  next_calls: NextCalls;
  run(args: Static<Input>, at: ToolCall): Promise<Told<Static<Output>>>;
}

export function defineTool<Input extends TObject, Output extends TObject>(
  spec: ToolSpec<Input, Output>,
): Tool {
  const { name, title, description, changes, by, input, output, next_calls, run } = spec;
  // Where anybody may call, a name among the arguments is the one that the call is about, not the caller's.
  const is_about_a_name = by === "anybody" && "name" in input.properties;
  const check = checkBy(input, "arguments");
  // A credential may come with any call.
  const known = [...Object.keys(withCredential(input, by).properties), "name", "key"];
  const ignoredIn = knownFields(known, (field) => field);

  /**
   * The arguments, checked by the rules that hold over HTTP too. Optional ones may be null. Those that are not the tool's, such
   * as a key, go no further.
   */
  function checked(args: unknown, { caller }: ToolCall): Static<Input> {
    const given = Object.entries(isObject(args) ? args : {}).filter(
      ([field, value]) => value !== null && Object.hasOwn(input.properties, field),
    );
    const present = Object.fromEntries(given);
    // Whoever showed a key need not say whose it is.
    if (by === "a name" && caller.identity) present.name ??= caller.identity.name;
    return check(present);
  }

  return {
    definition: {
      name,
      title,
      description,
      annotations: {
        readOnlyHint: changes === "nothing",
        destructiveHint: changes === "removes",
        idempotentHint: spec.repeatable ?? changes === "nothing",
        openWorldHint: true,
      },
      inputSchema: inputSchema(withCredential(input, by)),
      outputSchema: outputSchema(output),
    },
    refuseKeys: (args) => refuseSecretsIn(args, ["/key", `/${spec.key_belongs_in ?? "key"}`]),
    credential: (args) => credentialIn(args, by, is_about_a_name),
    waits: (args) => Number(args.wait_seconds) > 0,
    next_calls,
    async call(args, at) {
      const ignored = ignoredIn(isObject(args) ? args : {});
      const { structured, text } = await run(checked(args, at), at);
      if (!ignored) return { content: [{ type: "text", text }], structuredContent: structured };
      const line = `Ignored arguments: ${ignoredText(ignored)}.`;
      return {
        content: [{ type: "text", text: `${text}\n\n${line}` }],
        structuredContent: { ...structured, ignored_arguments: ignored },
      };
    },
  };
}

/** The same tool, said with fewer words: of its results only the members. */
export const briefly = (tool: Tool): Tool => ({
  ...tool,
  definition: { ...tool.definition, outputSchema: outline(tool.definition.outputSchema) },
});

/** What is told of a tool that somebody calls by name: a claimed one takes its key, and a key its name. */
function withCredential(input: TObject, by: ToolSpec<TObject, TObject>["by"]): TObject {
  if (by === "anybody") return input;
  const { properties } = input;
  const described = (description: string) => Type.Optional(Type.String({ description }));
  if (by === "a name") {
    const key = "The name's key, if you claimed it (or send it as a header); name may then be left out.";
    return Type.Object({ ...properties, name: Type.Optional(properties.name!), key: described(key) });
  }
  const key = described("Its key; or send it as a header.");
  return Type.Object({ ...properties, name: described("Your claimed name."), key });
}

function credentialIn(
  args: unknown,
  by: ToolSpec<TObject, TObject>["by"],
  by_key_alone: boolean,
): Credential | undefined {
  if (!isObject(args)) return undefined;
  const name = typeof args.name === "string" && !by_key_alone ? args.name : null;
  // Whoever says which claimed name is meant must not act as another because of the key in a header.
  if (args.key === undefined || args.key === null)
    return by === "a claimed name" && name ? { name, key: null } : undefined;
  // A key that is no text is a wrong one: whoever sends it means to be known.
  return { name, key: typeof args.key === "string" ? args.key : "" };
}
