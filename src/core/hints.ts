/** Hints: what a caller does next after an error, written once and printed for each kind of caller in its own terms. */

import type { ServiceError } from "./errors.ts";

/** How a caller reaches the service: by HTTP, by the tools of MCP, or by the commands of the shell client. */
type CallerKind = "http" | "tool" | "command";

/** Words in the terms of a kind of caller; null if they mean nothing to it. */
type Words = (kind: CallerKind) => string | null;

/** What to do next; a text is the same for everybody. */
type Hint = string | Words;

/** Hints by `code` of an error, or by `code.situation`. */
export type HintTable = Record<string, Hint>;

/** A hint for each of `Errors`, and for situations in which they happen. */
export type HintsOf<Errors extends object> = Record<keyof Errors & string, Hint> & {
  [situation: `${string}.${string}`]: Hint;
};

/** The hints for one kind of caller. */
export type Hints = Record<string, string>;

/** A call by its names: method and path, tool, command. A kind of caller without a name cannot make it. */
interface CallNames extends Partial<Record<CallerKind, string>> {
  /** The arguments with which the tool makes this call, if it makes others too. */
  tool_args?: Record<string, string>;
}

export interface Call {
  names: CallNames;
  /** The call with arguments: in the query or the body, and as arguments of the tool. `options`: the options of the command. */
  with(args: Record<string, string | number>, options?: string): Words;
}

export const call = (names: CallNames): Call => ({
  names,
  with: (args, options) => named(names, args, options),
});

const named =
  (names: CallNames, args: Record<string, string | number> = {}, options = ""): Words =>
  (kind) => {
    const name = names[kind];
    if (name === undefined) return null;
    if (kind === "command") return `'${`wharf ${name} ${options}`.trimEnd()}'`;
    const sent = kind === "tool" ? { ...names.tool_args, ...args } : args;
    const json = Object.keys(sent).length > 0 ? JSON.stringify(sent) : "";
    if (!json) return name;
    if (kind === "tool") return `${name} ${json}`;
    return name.startsWith("GET ")
      ? `${name}?${new URLSearchParams(args as Record<string, string>).toString()}`
      : `${name} with JSON ${json}`;
  };

/** Words that differ in more than the name of a call. They mean nothing to a kind of caller that is absent. */
export const words =
  (by_kind: Partial<Record<CallerKind, string>>): Words =>
  (kind) =>
    by_kind[kind] ?? null;

/** A hint with calls or words in it. A sentence with words that mean nothing to a caller is left out for it. */
export const hint =
  (texts: TemplateStringsArray, ...parts: (Call | Hint)[]): Words =>
  (kind) => {
    const words = parts.map((part) => printed(typeof part === "object" ? named(part.names) : part, kind));
    const text = String.raw({ raw: texts }, ...words.map((word) => word ?? nothing));
    return sentencesOf(text, (sentence) => !sentence.includes(nothing)) || null;
  };
const nothing = "\0";

const printed = (hint: Hint, kind: CallerKind): string | null =>
  typeof hint === "string" ? hint : hint(kind);

/** The sentences of a text that `isWanted`, as a text. */
export const sentencesOf = (text: string, isWanted: (sentence: string) => boolean): string =>
  text
    .split(/(?<=[.!?]) /)
    .filter(isWanted)
    .join(" ");

/** The hints of a table that mean something to a kind of caller. */
export const hintsFor = (kind: CallerKind, table: HintTable): Hints =>
  Object.fromEntries(
    Object.entries(table).flatMap(([key, hint]) => {
      const text = printed(hint, kind);
      return text === null ? [] : [[key, text]];
    }),
  );

/** The hint of an error: by its situation, else its own, else by its code. */
export const hintFor = (hints: Hints, { code, extra }: ServiceError): string | undefined =>
  hints[`${code}.${extra.situation}`] ?? extra.hint ?? hints[code];
