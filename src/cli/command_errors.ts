/** Usage errors of the command line, each as one line: unknown commands and Commander's own errors. */

import { CommanderError, type Command } from "commander";
import { defaultOf } from "./completion/model.ts";
import { nearestWord } from "../core/edit_distance.ts";
import { UsageError } from "../core/settings.ts";

/** The full name of a command without the program name, such as `keys rotate`; empty for the program itself. */
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : "";

const takesCommand = ({ commands }: Command): boolean => commands.length > 0;

/** The command that an error of Commander is about. */
const commands_of_errors = new WeakMap<CommanderError, Command>();

/** Makes Commander throw its errors instead of printing them and ending the process. */
export function throwErrors(command: Command): void {
  command
    .exitOverride((error) => {
      commands_of_errors.set(error, command);
      throw error;
    })
    .configureOutput({ outputError: () => {} });
  for (const child of command.commands) throwErrors(child);
}

/**
 * Throws a `UsageError` if the first word of `args` is not a command of `command`, or if a group such as `keys`, which runs
 * nothing itself, is not followed by one of its commands. Commander would pass such a word to the default command. `helped`: other words that can
 * follow `help`.
 */
export function checkCommands(
  command: Command,
  args: readonly string[],
  helped: readonly string[] = [],
): void {
  const [word, ...rest] = args;
  if (!takesCommand(command) || word?.startsWith("-")) return;
  const names = command.commands.map((child) => child.name());
  if (word === undefined) {
    if (!command.parent || defaultOf(command)) return;
    const path = `wharf ${pathOf(command)}`;
    throw new UsageError(`'${path}' needs a command: ${names.join(" or ")}. See '${path} --help'.`);
  }
  if (word === "help") return rest.length > 0 ? checkHelp(command, rest, helped) : undefined;
  const child = command.commands.find((known) => known.name() === word);
  if (child) return checkCommands(child, rest);
  throw unknownWord(command, word, names);
}

function checkHelp(command: Command, args: readonly string[], helped: readonly string[]): void {
  const [word = "", ...rest] = args;
  const names = command.commands.map((child) => child.name());
  const child = command.commands.find((known) => known.name() === word);
  if (!child) throw unknownWord(command, word, [...names, ...helped]);
  if (rest.length === 0 || rest[0]!.startsWith("-")) return;
  if (takesCommand(child)) return checkHelp(child, rest, []);
  const path = `wharf ${pathOf(child)}`;
  throw new UsageError(`'${path}' has no commands. See '${path} --help'.`);
}

function unknownWord(command: Command, word: string, known: readonly string[]): UsageError {
  const full = (name: string) => `${pathOf(command)} ${name}`.trim();
  const nearest = full(nearestWord(word, known)!);
  return new UsageError(
    `there is no command '${full(word)}'. The nearest is '${nearest}'; 'wharf --help' lists all.`,
  );
}

/** Converts a Commander error to a one-line `UsageError`; undefined if help or the version was printed. */
export function usageErrorOf(error: CommanderError): UsageError | undefined {
  const { exitCode, message } = error;
  if (exitCode === 0) return undefined;
  const command = commands_of_errors.get(error);
  const path = `wharf ${command ? pathOf(command) : ""}`.trim();
  const [text, suggestion] = message.replace(/^error: /, "").split("\n");
  const hint = suggestion ? ` ${suggestion.replace(/^\((.*)\)$/, "$1")}` : ` See '${path} --help'.`;
  return new UsageError(text!.replace(/\.?$/, ".") + hint);
}
