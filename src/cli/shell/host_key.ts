/** The key of a room that was opened here. */

import { UsageError } from "../../core/settings.ts";
import type { ShellContext } from "./shell_command.ts";

/**
 * The saved host key of a room as headers; none if a claimed name is used, which may be its host. Throws a `UsageError` if there is
 * neither. `deed`: what only a host does, as in "closes it".
 */
export function hostHeaders(
  { saved, key }: ShellContext,
  room: string,
  deed: string,
): Record<string, string> {
  const host_key = saved.rooms[room];
  if (host_key !== undefined) return { "x-meet-key": host_key };
  if (key !== undefined) return {};
  throw new UsageError(
    `no key of the room ${room} is saved: only its host ${deed}. If a claimed name is its host: --as <name>.`,
  );
}
