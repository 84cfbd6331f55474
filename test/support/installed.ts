/** Runs programs that a package manager has installed. */

import { started } from "./leftovers.ts";
import { linesOf } from "./python.ts";

export interface Running {
  cwd?: string;
  /** The whole environment; by default that of the tests. */
  env?: Record<string, string | undefined>;
}

/** Runs a command until it ends. Returns its status and what it prints on standard output, and with standard error. */
function run(command: string[], options: Running): { status: number; out: string; says: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { ...options, stdin: "ignore" });
  const out = stdout.toString();
  return { status: exitCode, out, says: out + stderr.toString() };
}

/** Runs a command. Returns what it prints on standard output. Throws with all that it prints if it fails. */
export function succeed(command: string[], options: Running = {}): string {
  const { status, out, says } = run(command, options);
  if (status !== 0) throw new Error(`${command.join(" ")}: status ${status}\n${says}`);
  return out;
}

/** Runs a command that must fail. Returns its status and all that it prints. */
export function fail(command: string[], options: Running = {}): { status: number; says: string } {
  const { status, says } = run(command, options);
  if (status === 0) throw new Error(`${command.join(" ")} did not fail\n${says}`);
  return { status, says };
}

/** The arguments of a service that `startDev` can start. */
export const dev = ["dev", "--memory", "--port", "0", "--json"];

/**
 * Starts a command that ends with `dev`, in a process group of its own. Returns its process when the service listens, with the address
 * and the id of the service. `stop` ends the group.
 */
export async function startDev(command: string[], options: Running) {
  const child = Bun.spawn(command, {
    ...options,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
    detached: true,
  });
  started.push(child);
  const { value: line } = await linesOf(child.stdout).next();
  if (!line) throw new Error(`${command.join(" ")} printed nothing`);
  const stop = async () => {
    process.kill(-child.pid, "SIGTERM");
    await child.exited;
  };
  return { child, stop, ...(JSON.parse(line) as { url: string; pid: number }) };
}

/** Whether a service answers at `url`. */
export const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
