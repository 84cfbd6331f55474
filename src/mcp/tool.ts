/** A tool: its definition, and a call of it with checked arguments. */

import { Type, type Static, type TObject } from "@sinclair/typebox";
import type { Caller, Credential } from "../core/caller.ts";
import { IdempotencyKey } from "../core/fields.ts";
import type { Idempotency } from "../core/idempotency.ts";
import { refuseSecretsIn } from "../core/secrets.ts";
import { whenReady, type Ready } from "../core/ready.ts";
import type { IdempotentCall } from "../core/storage.ts";
import { checkBy } from "../web/problems.ts";
import { inputSchema, outline, outputSchema, type OutputSchema } from "./json_schema.ts";
import { secondsCut, shortened, waitedText, type Patience } from "./progress.ts";
import { share } from "./result_text.ts";
import { ignoredText, knownFields } from "../web/known_fields.ts";

type Arguments = Record<string, unknown>;

export interface ToolCall extends Patience {
  caller: Caller;
  /** The base URL of links. */
  base: string;
  /** The room whose address was called; null at the lobby. */
  room: string | null;
  /** Reserves memory for a large result: see `Place.reserve`. */
  reserve(bytes: number): Ready<() => void>;
  /** The call if it has the argument `once`: pass it to the command of the tool. */
  call?: IdempotentCall;
}

/** The result of a tool as structured data and as text. Clients may show a model either: each has everything. */
export interface ToolOutput<Output> {
  structured: Output;
  text: string;
  /** A private text of the caller. It becomes a content block of its own, so that it can be written back as it is. */
  own_text?: string;
  /** Whether other calls return this object, too, so that its result is made once. */
  is_shared?: boolean;
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
  /** The annotations that differ from the defaults of the protocol; the others do not matter to a tool that only reads. */
  annotations: { readOnlyHint?: true; destructiveHint?: boolean; idempotentHint?: true };
  inputSchema: { type: "object" };
  outputSchema: OutputSchema;
}

export interface Tool {
  name: string;
  /** The definition that callers see; made at first use. */
  definition(): ToolDefinition;
  /** Throws `contains_key` if an argument that takes no key contains a key of this service. */
  refuseKeys(args: Arguments): void;
  /** The characters, as JSON, of the arguments that the tool does not know. */
  unknownChars(args: Arguments): number;
  /** The credential among the arguments of a call, if there is one. */
  credential(args: Arguments): Credential | undefined;
  /** Whether a call with these arguments may wait. */
  waits(args: Arguments): boolean;
  /**
   * The arguments with which the call can be made again and gives what this one gives: with positions in place of `now`, and
   * with `once` if it changes something. Throws ServiceError if the call would.
   */
  repeatable(args: Arguments, caller: Caller, once: string): Promise<Arguments>;
  /** Checks the arguments and runs the tool, with `idempotency` if it has the argument `once`. Throws ServiceError. */
  call(args: Arguments, at: ToolCall, idempotency: Pick<Idempotency, "run">): Ready<ToolResult>;
}

export interface ToolSpec<Input extends TObject, Output extends TObject> {
  name: string;
  title: string;
  description: string;
  /**
   * What a call changes: nothing, it adds something, or it removes something permanently. A tool that changes something takes
   * `once`, and passes `call` to its command.
   */
  changes: "nothing" | "adds" | "removes";
  /** Whether a repeated call changes nothing more, even without `once`. */
  repeatable?: boolean;
  /** Who may call: anybody; anybody under a name, which needs its key if it is claimed; the holder of a claimed name. */
  by: "anybody" | "a name" | "a claimed name";
  /** The purpose of a key at a tool that anybody may call. If given, the tool has the argument `key`. */
  key_for?: string;
  input: Input;
  /** An argument that the definition leaves out, because the tool refuses it at this address. */
  unlisted?: string | null;
  /** An argument beside `key` that may contain a key of this service. The operation checks when it may. */
  key_belongs_in?: string;
  output: Output;
  /** How long a call without `wait_seconds` waits. Default: not at all. */
  wait_seconds_default?: number;
  /** Returns the arguments with the value "now", each replaced by the present position. Absent if no argument takes "now". */
  positions?(args: Static<Input>, caller: Caller): Promise<Partial<Static<Input>>>;
  run(args: Static<Input>, at: ToolCall): Ready<ToolOutput<Static<Output>>>;
}

export function defineTool<Input extends TObject, Output extends TObject>(
  spec: ToolSpec<Input, Output>,
): Tool {
  const { name, title, description, changes, by, input, run } = spec;
  const output =
    "wait_seconds" in input.properties
      ? Type.Object({ ...spec.output.properties, waited_seconds: Type.Optional(Type.Integer()) })
      : spec.output;
  // If anybody may call, the argument `name` is the subject of the call, not the caller.
  const is_about_a_name = by === "anybody" && "name" in input.properties;
  const own = changes === "nothing" ? input : Type.Object({ ...input.properties, once: Type.Optional(Once) });
  const accepted = withCredential(own, spec);
  const { [spec.unlisted ?? ""]: _unlisted, ...listed_fields } = accepted.properties;
  const listed = Type.Object(listed_fields);
  const check = checkBy(own, "arguments");
  const own_fields = Object.keys(own.properties);
  // A credential may come with any call.
  const known = [...Object.keys(accepted.properties), "name", "key"];
  const keys_belong_in = ["/key", `/${spec.key_belongs_in ?? "key"}`];
  const ignoredIn = knownFields(known, (field) => field);

  /**
   * The valid arguments of the tool, by the rules that HTTP has, too, in the order of the schema. Optional ones may be null.
   * Drops arguments that the tool does not know, such as a key.
   */
  function checked(args: Arguments, caller: Caller): Static<Input> & { once?: string } {
    const present: Arguments = {};
    for (const field of own_fields) {
      const value = Object.hasOwn(args, field) ? args[field] : null;
      if (value !== null) present[field] = value;
      // A caller with a key may leave the name out.
      else if (field === "name" && by === "a name" && caller.identity) present.name = caller.identity.name;
    }
    return check(present) as Static<Input>;
  }

  type SentOnce = Static<Input> & { once: string };

  async function callOnce(
    { once, ...given }: SentOnce,
    at: ToolCall,
    ignored: string[] | null,
    idempotency: Pick<Idempotency, "run">,
  ): Promise<ToolResult> {
    // At the address of a room, the room is part of the call.
    const called = { ...(at.room !== null && { room: at.room }), ...given };
    const { result, replayed } = await idempotency.run(
      { key: once, target: name, caller: at.caller, sent: called },
      async (call) => run(shortened(given as Static<Input>, at), { ...at, call }),
    );
    return resultOf(result, { ignored, replayed, waited_seconds: secondsCut(given, at) });
  }

  return {
    name,
    definition: () => ({
      name,
      title,
      description,
      annotations:
        changes === "nothing"
          ? { readOnlyHint: true }
          : { destructiveHint: changes === "removes", ...(spec.repeatable && { idempotentHint: true }) },
      inputSchema: inputSchema(listed),
      outputSchema: outputSchema(output),
    }),
    refuseKeys: (args) => refuseSecretsIn(args, keys_belong_in),
    unknownChars(args) {
      const unknown = Object.entries(args).filter(([field]) => !known.includes(field));
      return unknown.length === 0 ? 0 : JSON.stringify(unknown).length;
    },
    credential: (args) => credentialIn(args, by, is_about_a_name),
    waits: (args) => Number(args.wait_seconds ?? spec.wait_seconds_default) > 0,
    async repeatable(args, caller, once) {
      const begun = await spec.positions?.(checked(args, caller), caller);
      return { ...args, ...begun, ...(changes !== "nothing" && { once: args.once ?? once }) };
    },
    call(args, at, idempotency) {
      const ignored = ignoredIn(args);
      const sent = checked(args, at.caller);
      if (sent.once !== undefined) return callOnce(sent as SentOnce, at, ignored, idempotency);
      return whenReady(run(shortened(sent, at), at), (output) =>
        resultOf(output, { ignored, replayed: false, waited_seconds: secondsCut(sent, at) }),
      );
    },
  };
}

const contentOf = (text: string, own_text: string | undefined): ToolResult["content"] => [
  { type: "text", text },
  ...(own_text === undefined ? [] : [{ type: "text" as const, text: own_text }]),
];

/** The results of outputs that many calls return. */
const shared = new WeakMap<ToolOutput<object>, ToolResult>();

function sharedResult(output: ToolOutput<object>): ToolResult {
  const known = shared.get(output);
  if (known) return known;
  const result = share(plainResult(output));
  shared.set(output, result);
  return result;
}

const plainResult = ({ structured, text, own_text }: ToolOutput<object>): ToolResult => ({
  content: contentOf(text, own_text),
  structuredContent: structured,
});

/** What a result says besides its output. */
interface Remarks {
  /** The names of ignored arguments. */
  ignored: string[] | null;
  /** Whether it is the result of an earlier call. */
  replayed: boolean;
  /** How long a shortened wait was. */
  waited_seconds: number | undefined;
}

/** The result of a call. */
function resultOf(output: ToolOutput<object>, { ignored, replayed, waited_seconds }: Remarks): ToolResult {
  if (!ignored && !replayed && waited_seconds === undefined)
    return output.is_shared ? sharedResult(output) : plainResult(output);
  const { structured, text, own_text } = output;
  const content = contentOf(text, own_text);
  const lines = [
    ...(replayed ? ["Replayed: the first answer to this once. Nothing was done again."] : []),
    ...(ignored ? [`Ignored arguments: ${ignoredText(ignored)}.`] : []),
    ...(waited_seconds === undefined ? [] : [waitedText(waited_seconds)]),
  ];
  content[0]!.text = [text, "", ...lines].join("\n");
  return {
    content,
    structuredContent: {
      ...structured,
      ...(replayed && { replayed: true }),
      ...(ignored && { ignored_arguments: ignored }),
      ...(waited_seconds !== undefined && { waited_seconds }),
    },
  };
}

const Once = IdempotencyKey("UUID for repeats.");

/** The same tool with a shorter definition: its output schema has only the names and types of members. */
export const briefly = (tool: Tool): Tool => ({
  ...tool,
  definition() {
    const definition = tool.definition();
    return { ...definition, outputSchema: outline(definition.outputSchema) };
  },
});

/**
 * The input schema with the argument `key` that a tool called by a name takes. The key of a claimed name identifies it, so
 * that such a tool also takes `name`, but does not list it.
 */
function withCredential(
  input: TObject,
  { by, key_for }: Pick<ToolSpec<TObject, TObject>, "by" | "key_for">,
): TObject {
  const { properties } = input;
  const described = (description: string) => Type.Optional(Type.String({ description }));
  if (by === "anybody")
    return key_for
      ? Type.Object({ ...properties, key: described(`Your name's key, for ${key_for}.`) })
      : input;
  if (by === "a claimed name") return Type.Object({ ...properties, key: described("Your name's key.") });
  const key = described("The name's key if it is claimed.");
  return Type.Object({ ...properties, name: Type.Optional(properties.name!), key });
}

function credentialIn(
  args: Arguments,
  by: ToolSpec<TObject, TObject>["by"],
  by_key_alone: boolean,
): Credential | undefined {
  const name = typeof args.name === "string" && !by_key_alone ? args.name : null;
  // A caller that gives a claimed name must not act as another one because of the key in a header.
  if (args.key === undefined || args.key === null)
    return by === "a claimed name" && name ? { name, key: null } : undefined;
  // A key that is no string is a wrong key.
  return { name, key: typeof args.key === "string" ? args.key : "" };
}
