/** All commands of the program, and the examples in their help. */

import type { Command } from "commander";
import { program } from "../../src/cli/cli.ts";
import type { Terminal } from "../../src/cli/terminal.ts";

export interface Known {
  /** The words of the command: `wharf keys rotate`. */
  path: string;
  command: Command;
}

const below = ({ path, command }: Known): Known[] => [
  { path, command },
  ...command.commands.flatMap((child) => below({ path: `${path} ${child.name()}`, command: child })),
];

/** A terminal of nobody, with no environment. */
export const silent_terminal: Terminal = {
  args: [],
  environment: {},
  is_terminal: false,
  columns: undefined,
  is_error_terminal: false,
  print: () => {},
  writeError: () => {},
  setStatus: () => {},
  onStop: () => {},
};

/** The program and every command in it. */
export const commands = below({
  path: "wharf",
  command: await program(silent_terminal),
});

/** The command lines at the end of a command's help. */
export function examplesOf(command: Command): string[] {
  let help = "";
  command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
  const [, lines = ""] = /\nExamples?:\n((?: {2}.+\n)+)$/.exec(help) ?? [];
  return Array.from(lines.matchAll(/^ {2}(.+)$/gm), ([, line]) => line!);
}
