/** The leases of a room, and which of them are the caller's own. */

import { orThrow, type Schemas } from "../../../client/client.ts";
import { defined } from "../arguments.ts";
import type { ShellContext } from "../shell_command.ts";

type LeaseList = Schemas["LeaseList"];

/** The leases of a room, the earliest taken first, and who waits. `prefix`: only those on this path. */
export async function leasesIn(
  { client }: Pick<ShellContext, "client">,
  room: string,
  prefix?: string,
): Promise<Pick<LeaseList, "leases" | "in_line">> {
  const leases: LeaseList["leases"] = [];
  let in_line: LeaseList["in_line"] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = defined({ prefix, cursor });
    const page = await orThrow(client.get("/api/meet/rooms/{room}/leases", { path: { room }, query }));
    leases.push(...page.leases);
    in_line = page.in_line;
    cursor = page.next;
  }
  return { leases, in_line };
}

/** Paths of a lease. */
interface Part {
  fence: number;
  paths: string[];
}

/**
 * What the caller holds of `paths` and below them, by lease. Throws a user-facing error for a path of which it holds nothing, or which
 * a lease on a path above it covers.
 */
export async function ownParts(shell: ShellContext, room: string, paths: string[]): Promise<Part[]> {
  const parts = new Map<number, Set<string>>();
  for (const path of paths) {
    const { leases } = await leasesIn(shell, room, path);
    const own = leases.flatMap(({ fence, paths }) => (fence === undefined ? [] : [{ fence, paths }]));
    const found = own.flatMap(({ fence, paths }) =>
      paths.filter((held) => `${held}/`.startsWith(`${path}/`)).map((held) => ({ fence, held })),
    );
    if (found.length === 0) throw new Error(notHeld(path, room, own));
    for (const { fence, held } of found) parts.set(fence, (parts.get(fence) ?? new Set<string>()).add(held));
  }
  return Array.from(parts, ([fence, held]) => ({ fence, paths: [...held] }));
}

function notHeld(path: string, room: string, own: Part[]): string {
  const above = own.flatMap(({ paths }) => paths).find((held) => path.startsWith(`${held}/`));
  return above === undefined
    ? `You hold no lease of ${path} in ${room}.`
    : `You hold ${above}, with all that lies below it: release ${above}.`;
}
