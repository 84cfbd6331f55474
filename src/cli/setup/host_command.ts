/** Runs a command of an agent host. */

import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../core/clock.ts";
import { messageOf } from "../../core/log.ts";
import type { Wiring } from "./host.ts";
import { shellLine } from "./own_command.ts";

/** How long a host may take: some load packages at their start. */
const command_ms_max = 60_000;
/** How much of its output an error has. */
const shown_chars_max = 2_000;

/** A command that runs: its process, and when it is ended at the latest, in milliseconds since 1970. */
export interface RunningCommand {
  pid: number;
  until_ms: number;
}

/** Whether its process is there. Later another one may have its number. */
export function isRunning({ pid, until_ms }: RunningCommand): boolean {
  if (systemClock.now() >= until_ms) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Runs it in an empty folder: in a repository some hosts read and change the settings of that. Returns what it has printed. Throws a user-facing
 * error with the end of its output if it fails, or takes too long. `onStart` is called when it runs.
 */
export async function runHostCommand(
  words: string[],
  { environment }: Pick<Wiring, "environment">,
  onStart?: (running: RunningCommand) => void,
): Promise<string> {
  const [name, ...args] = words;
  const program = Bun.which(name!, { PATH: environment["PATH"] ?? "" });
  if (program === null)
    throw new Error(`${name} is not on the PATH. Install it, or add its folder to the PATH.`);
  const root = mkdtempSync(join(tmpdir(), "wharf-setup-"));
  const [folder, file] = [join(root, "empty"), join(root, "output")];
  mkdirSync(folder);
  // A file and not a pipe: a process that the command leaves behind could hold a pipe open.
  const output = openSync(file, "w");
  try {
    const child = started([program, ...args], folder, environment, output);
    onStart?.({ pid: child.pid, until_ms: systemClock.now() + command_ms_max });
    await child.exited;
    const printed = readFileSync(file, "utf8");
    if (child.exitCode === 0) return printed;
    const how = child.signalCode
      ? `was ended by ${child.signalCode}, at the latest after ${command_ms_max / 1000} s`
      : `ended with status ${child.exitCode}`;
    const shown = printed.trim().slice(-shown_chars_max);
    throw new Error(`'${shellLine(words)}' ${how}${shown === "" ? "." : `: ${shown}`}`);
  } finally {
    closeSync(output);
    rmSync(root, { recursive: true, force: true });
  }
}

function started(words: string[], cwd: string, env: Wiring["environment"], output: number) {
  try {
    const limits = { timeout: command_ms_max, killSignal: "SIGKILL" } as const;
    return Bun.spawn(words, { cwd, env, stdio: ["ignore", output, output], ...limits });
  } catch (error) {
    throw new Error(`${words[0]} cannot be run: ${messageOf(error)}.`, { cause: error });
  }
}
