/** The end of each command's help: examples. */

import type { Command } from "commander";

/** Adds command lines that work as they stand to the end of a command's help. Returns the command. */
export function withExamples(command: Command, ...lines: [string, ...string[]]): Command {
  const title = lines.length === 1 ? "Example:" : "Examples:";
  return command.addHelpText("after", `\n${[title, ...lines.map((line) => `  ${line}`)].join("\n")}`);
}
