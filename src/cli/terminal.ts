/** What commands use of the process that runs them, and how their help ends. */

import type { Command } from "commander";

export interface Terminal {
  /** The words of the command line after `wharf`. */
  args: readonly string[];
  environment: Record<string, string | undefined>;
  /** Whether a person reads standard output: it is a terminal. */
  is_terminal: boolean;
  /** The width of that terminal in columns; undefined if standard output is none. */
  columns: number | undefined;
  /** Whether a person reads standard error. */
  is_error_terminal: boolean;
  /** Prints a line on standard output. */
  print(line: string): void;
  /** Writes text to standard error as it is. */
  writeError(text: string): void;
  /** Asks a question on standard error. Resolves to the line of the answer; null if there is no terminal to ask at. */
  ask(question: string): Promise<string | null>;
  /** Sets the exit status, which is 0 without it. A command that fails throws an error instead. */
  setStatus(status: number): void;
  /** Calls `run` for every SIGINT, SIGTERM and SIGHUP, which end the process otherwise. */
  onStop(run: (signal: NodeJS.Signals) => void): void;
}

/** Adds command lines that work as they stand to the end of a command's help. Returns the command. */
export function withExamples(command: Command, ...lines: [string, ...string[]]): Command {
  const title = lines.length === 1 ? "Example:" : "Examples:";
  return command.addHelpText("after", `\n${[title, ...lines.map((line) => `  ${line}`)].join("\n")}`);
}
