/** Which agent hosts a command is about. */

import { homedir } from "node:os";
import { nearestWord } from "../../core/edit_distance.ts";
import { UsageError } from "../../core/settings.ts";
import type { Terminal } from "../terminal.ts";
import type { SetupHost } from "./host.ts";
import { hostOf, setup_hosts } from "./hosts.ts";
import type { SetupState } from "./state.ts";

export const homeOf = ({ environment: { HOME } }: Pick<Terminal, "environment">): string => HOME || homedir();

/** The host that a word names. Throws a `UsageError` if it is none. */
export function hostNamed(id: string): SetupHost {
  const host = hostOf(id);
  if (host) return host;
  const ids = setup_hosts.map((one) => one.id);
  throw new UsageError(
    `there is no host ${id}. The nearest is ${nearestWord(id, ids)}; these are known: ${ids.join(", ")}.`,
  );
}

/** The hosts of these ids, each once; without ids those that are on the PATH. Throws a user-facing error if one is not, or if none is. */
export function hostsFor(ids: string[], { environment }: Pick<Terminal, "environment">): SetupHost[] {
  const isThere = ({ program }: SetupHost): boolean =>
    program !== null && Bun.which(program, { PATH: environment["PATH"] ?? "" }) !== null;
  const hosts = ids.length > 0 ? [...new Set(ids)].map(hostNamed) : setup_hosts.filter(isThere);
  const missing = hosts.find((host) => !isThere(host));
  if (missing) {
    const why =
      missing.program === null ? "has no program of its own" : `needs ${missing.program} on the PATH`;
    throw new Error(`${missing.title} ${why}. 'wharf setup --print ${missing.id}' shows what to paste.`);
  }
  if (hosts.length > 0) return hosts;
  const known = setup_hosts.map(({ id }) => id).join(", ");
  throw new Error(
    `no agent host is on the PATH. Known are ${known}. 'wharf setup --print HOST' shows what to paste.`,
  );
}

/** The ids of the hosts that are set up, of these alone if some are given. Throws a `UsageError` if one of them is not. */
export function setUpIds(given: string[], { hosts }: SetupState): string[] {
  const other = given.find((id) => !Object.hasOwn(hosts, id));
  if (other !== undefined)
    throw new UsageError(`${other} is not set up. 'wharf setup ${hostNamed(other).id}' does it.`);
  return given.length > 0 ? [...new Set(given)] : Object.keys(hosts);
}
