/** What shells complete: commands, options and their values, read from the Commander program, so that nothing is listed twice. */

import type { Argument, Command, Option } from "commander";
import { document_names } from "../documents.ts";
import type { Setting } from "../../core/setting.ts";
import { setting_names, settings } from "../../core/settings.ts";

/** What an option or an argument takes: one of these words, the path of a file or a folder, or any text. */
export type Value = readonly string[] | "file" | "directory" | "text";

export interface CompletedOption {
  /** Its spellings: `["-p", "--port"]`. */
  flags: string[];
  description: string;
  /** Null for a switch. */
  value: Value | null;
}

export interface CompletedCommand {
  /** Its words after `wharf`: `["keys", "rotate"]`; empty for the program itself. */
  words: string[];
  description: string;
  options: CompletedOption[];
  /** What each of its arguments takes. */
  arguments: Value[];
  commands: CompletedCommand[];
}

/** Returns what can be completed of a command and of those below it. Hidden commands and options are left out. */
export function completedCommand(command: Command, words: string[] = []): CompletedCommand {
  const help = command.createHelp();
  const visible = help.visibleCommands(command);
  const names = visible.map((child) => child.name());
  const helped = [...new Set([...names, ...(words.length === 0 ? document_names : [])])];
  const inner = defaultOf(command);
  // The command `help` is made by Commander, and takes the name of another one, or in the program that of a document.
  const below = visible.map((child) =>
    command.commands.includes(child)
      ? completedCommand(child, [...words, child.name()])
      : {
          ...leaf(child, [...words, child.name()]),
          arguments: [helped.filter((one) => one !== child.name())],
        },
  );
  const options = [...help.visibleOptions(command), ...(inner ? help.visibleOptions(inner) : [])];
  return {
    ...leaf(command, words),
    options: options
      .filter(({ long }, at) => options.findIndex((one) => one.long === long) === at)
      .map(completedOption),
    commands: below,
  };
}

/** A command as if it had no commands below it. */
const leaf = (command: Command, words: string[]): CompletedCommand => ({
  words,
  description: command.description(),
  options: command.createHelp().visibleOptions(command).map(completedOption),
  arguments: command.registeredArguments.map(valueOf),
  commands: [],
});

/** The command that runs without its name. Commander has no public member for it. */
export function defaultOf(command: Command): Command | undefined {
  const { _defaultCommandName: name } = command as unknown as { _defaultCommandName: string | null };
  return command.commands.find((child) => child.name() === name);
}

const completedOption = (option: Option): CompletedOption => ({
  flags: [option.short, option.long].filter((flag) => flag !== undefined),
  description: option.description,
  value: option.required || option.optional ? valueOf(option) : null,
});

/** The placeholder in the help says whether a value is a path: `<file>`, `<path>` or `<directory>`. */
function valueOf(taking: Option | Argument): Value {
  const choices = taking.argChoices ?? ("long" in taking ? choicesOfSetting(taking) : undefined);
  if (choices) return choices;
  const placeholder = "long" in taking ? (/[<[]([\w-]+)/.exec(taking.flags)?.[1] ?? "") : taking.name();
  if (placeholder === "directory") return "directory";
  return placeholder === "file" || placeholder === "path" ? "file" : "text";
}

/** The words that a setting accepts; undefined if it is no setting, or takes other values. */
function choicesOfSetting({ long }: Option): readonly string[] | undefined {
  const name = setting_names.find((one) => `--${settings[one].flag}` === long);
  const row: Setting<unknown> | undefined = name && settings[name];
  return row?.parse.words;
}

/** A command and all below it. */
export const allCommands = (command: CompletedCommand): CompletedCommand[] => [
  command,
  ...command.commands.flatMap(allCommands),
];
