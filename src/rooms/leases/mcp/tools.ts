/** The tools of leases: to take, extend and release what others may not change meanwhile. */

import { leaseInputs, ReleaseOutput, TakeOutput } from "../../../api/lease_tools.ts";
import { lease_limits } from "../../../api/limits.ts";
import { invalidFields } from "../../../core/errors.ts";
import { memberOutput } from "../../../mcp/text.ts";
import { defineTool, type Tool, type ToolCall } from "../../../mcp/tool.ts";
import { roomOf } from "../../mcp/tools.ts";
import type { Leases } from "../leases.ts";

interface LeaseToolDeps {
  leases: Leases;
  /** Whether the tools are for the address of one room. */
  own_room: boolean;
}

export function leaseTools({ leases, own_room }: LeaseToolDeps): Tool[] {
  const { TakeInput, ReleaseInput } = leaseInputs(own_room);
  return [
    defineTool({
      name: "lease_take",
      title: "Hold what you edit",
      description: "Use before you edit what others may edit too: you alone hold its paths until `until`.",
      changes: "adds",
      by: "a claimed name",
      input: TakeInput,
      output: TakeOutput,
      async run({ extend: fence, ...args }, at) {
        const { caller, open, call } = at;
        const room = roomOf(args.room, at);
        const { purpose, ttl_seconds = lease_limits.lease_seconds_default, wait_seconds } = args;
        const paths = wantedPaths(fence, args);
        const lease = paths
          ? await leases.take(caller, { room, paths, purpose, ttl_seconds }, { wait_seconds, open, call })
          : await leases.extend(caller, { room, fence: fence!, ttl_seconds }, call);
        return memberOutput({ ...lease, next: nextOf(lease.fence, room, at) });
      },
    }),
    defineTool({
      name: "lease_release",
      title: "Give a lease back",
      description: "Use when you are done with what you hold.",
      changes: "adds",
      by: "a claimed name",
      input: ReleaseInput,
      output: ReleaseOutput,
      async run({ room, fence, paths }, at) {
        const request = { room: roomOf(room, at), fence, paths };
        const { released, paths: left } = await leases.release(at.caller, request, at.call);
        return memberOutput({ released, paths: left });
      },
    }),
  ];
}

/** The paths to take; null if a lease is extended. Throws `invalid_fields` unless it is one of the two. */
function wantedPaths(
  extended: number | undefined,
  { paths, purpose }: { paths?: string[] | undefined; purpose?: string | undefined },
): string[] | null {
  if (extended === undefined) {
    if (paths) return paths;
    throw invalidFields([{ path: "paths", message: "is required, or extend" }]);
  }
  const refused = Object.entries({ paths, purpose }).filter(([, value]) => value !== undefined);
  if (refused.length === 0) return null;
  throw invalidFields(
    refused.map(([path]) => ({ path, message: "cannot be sent with extend: the lease keeps what it has" })),
  );
}

/** How the lease ends. */
function nextOf(fence: number, slug: string, at: Pick<ToolCall, "room">): string {
  const room = at.room === null ? { room: slug } : {};
  const [longer, done] = [
    { ...room, extend: fence },
    { ...room, fence },
  ].map((args) => JSON.stringify(args));
  return `lease_release ${done} when you are done; lease_take ${longer} before until, if you need longer.`;
}
