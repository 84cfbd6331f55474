/** The guard of leases and other commands as processes: in a folder, with the settings of one agent. */

import { join } from "node:path";
import { wharf_command } from "./binary.ts";
import { started } from "./leftovers.ts";
import type { Holder } from "./names.ts";
import type { Ended } from "./shell.ts";

export interface GuardSettings {
  url: string;
  /** Whose name and key it sends; nobody's without it. */
  who?: Pick<Holder, "name" | "key">;
  /** Its home, with what it saves. */
  home: string;
  cwd?: string;
}

/** The environment of an agent's commands. */
export const environmentOf = ({ url, who, home }: GuardSettings): Record<string, string> => ({
  PATH: process.env.PATH!,
  HOME: home,
  XDG_CONFIG_HOME: `${home}/config`,
  XDG_STATE_HOME: `${home}/state`,
  WHARF_URL: url,
  ...(who && { WHARF_NAME: who.name, WHARF_KEY: who.key }),
});

/** For hooks that must not fail because the machine is busy: a minute more than the 2.5 seconds in which they must answer. */
export const patient = { BUN_OPTIONS: `"--preload=${join(import.meta.dir, "patient.ts")}"` };

/** Runs `wharf lease guard` until it ends. `variables`: `{}` for one that has its real limit. */
export const guard = (
  settings: GuardSettings,
  args: string[],
  variables: Record<string, string> = patient,
): Promise<Ended> => runFor(settings, ["lease", "guard", ...args], "", variables);

/** Runs a command of an agent until it ends. `input`: its standard input, an object as JSON. */
export async function runFor(
  settings: GuardSettings,
  args: string[],
  input: object | string = "",
  variables: Record<string, string> = {},
): Promise<Ended> {
  const child = Bun.spawn([...wharf_command, ...args], {
    cwd: settings.cwd ?? settings.home,
    env: { ...environmentOf(settings), ...variables },
    stdin: new Blob([typeof input === "string" ? input : JSON.stringify(input)]),
    stdout: "pipe",
    stderr: "pipe",
  });
  started.push(child);
  const [printed, errors, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { printed, errors, status };
}
