/** The words that run this program again, for the settings of other programs. */

import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { shellWord } from "../../core/text_form.ts";
import type { Terminal } from "../terminal.ts";

/** The script of the program. The executable contains it, and has no such file. */
const script = join(import.meta.dir, "../../main.ts");
const is_source = /[\\/]src[\\/]main\.ts$/.test(script) && existsSync(script);

/**
 * The path of the executable, or the paths of the runtime and the script. If the PATH leads to this executable by a link, that link is
 * returned: it stays where it is when a new version replaces the executable.
 */
export function ownCommand({ environment }: Pick<Terminal, "environment">): string[] {
  const program = process.execPath;
  if (is_source) return [program, script];
  const found = Bun.which("wharf", { PATH: environment["PATH"] ?? "" });
  return [found !== null && realpathSync(found) === realpathSync(program) ? found : program];
}

/** How a shell runs this program: `wharf` if the PATH leads to it. */
export function wharfLine(terminal: Pick<Terminal, "environment">): string {
  const words = ownCommand(terminal);
  const found = Bun.which("wharf", { PATH: terminal.environment["PATH"] ?? "" });
  return words.length === 1 && words[0] === found ? "wharf" : shellLine(words);
}

/** Words as one line for a POSIX shell. */
export const shellLine = (words: readonly string[]): string => words.map(shellWord).join(" ");
