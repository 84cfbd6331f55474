/** What a host is set up with, and all changes that it gets for that: its own, and those of its service. */

import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Terminal } from "../terminal.ts";
import type { Change, SetupHost, Wiring } from "./host.ts";
import { homeOf } from "./known_hosts.ts";
import { ownCommand, shellLine } from "./own_command.ts";
import { serviceFile } from "./service.ts";
import type { SetupState } from "./state.ts";

export const wiringFor = (
  terminal: Pick<Terminal, "environment">,
  { url, name }: Pick<Wiring, "url" | "name">,
  skill = "",
): Wiring => ({
  wharf: ownCommand(terminal),
  ...{ url, name, skill },
  home: homeOf(terminal),
  environment: terminal.environment,
});

/**
 * The changes of a host. `folder`: that of its service; undefined: it gets none, but one that it has stays. That one is made anew only for
 * another name or service: its PATH is that of the shell that has made it.
 */
export function wantedChanges(
  host: SetupHost,
  wiring: Wiring,
  state: SetupState,
  folder: string | undefined,
): Change[] {
  const changes = host.changes(wiring);
  if (folder !== undefined) return [...changes, serviceChange(host, wiring, folder)];
  const known = state.hosts[host.id];
  if (known?.folder === undefined) return changes;
  const made = Object.values(state.files).flatMap((file) => file.changes);
  const recorded = made.find((change) => change.host === host.id && change.purpose === "service");
  const is_same = known.name === wiring.name && known.url === wiring.url;
  if (recorded?.kind !== "own_file" || !is_same)
    return [...changes, serviceChange(host, wiring, known.folder)];
  const { purpose, file, kind, text } = recorded;
  return [...changes, { purpose, file, kind, text }];
}

function serviceChange(host: SetupHost, wiring: Wiring, folder: string): Change {
  const { file, text } = serviceFile(wiring, host, folder);
  return { purpose: "service", file, kind: "own_file", text };
}

/** The command that starts the service of a host at every login, and the one that ends that. */
export function serviceCommands(host: SetupHost, wiring: Wiring): { enable: string; disable: string } {
  const { enable, disable } = serviceFile(wiring, host, "/");
  return { enable: shellLine(enable), disable: shellLine(disable) };
}

/** Whether systemd starts the service of a host: then its unit must not be removed. */
export function isEnabled(host: SetupHost, wiring: Wiring): boolean {
  const { file } = serviceFile(wiring, host, "/");
  const link = join(dirname(file), "default.target.wants", basename(file));
  return lstatSync(link, { throwIfNoEntry: false }) !== undefined;
}
