/** Usage errors of the command line, each as one line: unknown commands and Commander's own errors. */

import { CommanderError, type Command } from "commander";
import { nearestWord } from "../core/edit_distance.ts";
import { UsageError } from "../core/settings.ts";

/** The full name of a command without the program name, such as `keys rotate`; empty for the program itself. */
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : "";

const takesCommand = ({ commands }: Command): boolean => commands.length > 0;

/** Makes Commander throw its errors instead of printing them and ending the process. */
export function throwErrors(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => {} });
  for (const child of command.commands) throwErrors(child);
}

/**
 * Throws a `UsageError` if the first word of `args` is not a command of `command`, or if a group such as `keys` is not
 * followed by one of its commands. Commander would pass such a word to the default command.
 */
export function checkCommands(command: Command, args: readonly string[]): void {
  const [word, ...rest] = args;
  if (!takesCommand(command) || word?.startsWith("-")) return;
  const names = command.commands.map((child) => child.name());
  if (word === undefined) {
    if (!command.parent) return;
    const path = `wharf ${pathOf(command)}`;
    throw new UsageError(`'${path}' needs a command: ${names.join(" or ")}. See '${path} --help'.`);
  }
  if (word === "help") return rest.length > 0 ? checkCommands(command, rest) : undefined;
  const child = command.commands.find((known) => known.name() === word);
  if (child) return checkCommands(child, rest);
  const full = (name: string) => `${pathOf(command)} ${name}`.trim();
  const nearest = full(nearestWord(word, names)!);
  throw new UsageError(
    `there is no command '${full(word)}'. The nearest is '${nearest}'; 'wharf --help' lists all.`,
  );
}

/** Converts a Commander error to a one-line `UsageError`; undefined if help or the version was printed. */
export function usageErrorOf({ exitCode, message }: CommanderError): UsageError | undefined {
  if (exitCode === 0) return undefined;
  const [text, suggestion] = message.replace(/^error: /, "").split("\n");
  const hint = suggestion ? ` ${suggestion.replace(/^\((.*)\)$/, "$1")}` : " See 'wharf --help'.";
  return new UsageError(text!.replace(/\.?$/, ".") + hint);
}
