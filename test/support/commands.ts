/** All commands of the program, and the examples in their help. */

import type { Command } from "commander";
import { program } from "../../src/cli/program.ts";
import type { Terminal } from "../../src/cli/terminal.ts";
import { messageOf } from "../../src/core/log.ts";
import { UsageError } from "../../src/core/settings.ts";
import type { Ended } from "./shell.ts";

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
  ask: () => Promise.resolve(null),
  setStatus: () => {},
  onStop: () => {},
};

/** The program and every command in it. */
export const commands = below({
  path: "wharf",
  command: await program(silent_terminal),
});

/** Runs a command in this process, as the program does. It needs no process of its own, which takes a hundred times as long. */
export async function runHere(terminal: Partial<Terminal>, ...args: string[]): Promise<Ended> {
  const ended = { printed: "", errors: "", status: 0 };
  const wharf = await program(
    {
      ...silent_terminal,
      print: (line) => void (ended.printed += `${line}\n`),
      writeError: (text) => void (ended.errors += text),
      setStatus: (status) => void (ended.status = status),
      ...terminal,
    },
    args.slice(0, 1),
  );
  try {
    await wharf.parseAsync(args, { from: "user" });
  } catch (error) {
    ended.status = error instanceof UsageError ? 2 : 1;
    ended.errors += messageOf(error);
  }
  return ended;
}

/** The command lines at the end of a command's help. */
export function examplesOf(command: Command): string[] {
  let help = "";
  command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
  const [, lines = ""] = /\nExamples?:\n((?: {2}.+\n)+)$/.exec(help) ?? [];
  return Array.from(lines.matchAll(/^ {2}(.+)$/gm), ([, line]) => line!);
}
