/**
 * The addresses of the MCP transport: /mcp is the whole service, /mcp/meet the lobby of the rooms, /mcp/meet/{room} one room, and
 * /mcp/account the whole service for clients that sign in by OAuth.
 */

import type { Ready } from "../core/ready.ts";
import { undocumented } from "../web/openapi/describe.ts";
import { account_path } from "../api/account.ts";
import type { ArgumentCallers } from "../web/argument_callers.ts";
import type { Http } from "../web/context.ts";
import { factsOf } from "../web/request_facts.ts";
import { takesStreams } from "./sse.ts";
import type { McpTransport } from "./transport.ts";
import type { Place } from "./types.ts";

interface McpRoutesDeps extends Pick<
  Http,
  "access" | "resolvers" | "direct" | "idle" | "open" | "memory" | "policy"
> {
  /** The slug of the room that an address spells, which may end with `.md`. */
  spelled(room: string): string;
}

/** The place of an HTTP request. Most calls need few of its members, so that none of them is made before. */
class RequestPlace implements Place {
  constructor(
    private readonly deps: McpRoutesDeps,
    private readonly request: Request,
    private readonly callers: ArgumentCallers,
    readonly address: string,
    readonly room: string | null,
  ) {}

  get base(): string {
    return this.callers.base;
  }

  get caller(): Place["caller"] {
    return this.callers.callerOf;
  }

  get mayRead(): Place["mayRead"] {
    return this.callers.mayRead;
  }

  get request_id(): string {
    return factsOf(this.request).id;
  }

  get takes_streams(): boolean {
    return takesStreams(this.request.headers);
  }

  takingStreams(): Place {
    const { deps, request, callers, address, room } = this;
    return new StreamingPlace(deps, request, callers, address, room);
  }

  get open(): Place["open"] {
    return this.deps.open.begin;
  }

  reserve(bytes: number): Ready<() => void> {
    return this.deps.memory.reserve(this.request, bytes);
  }

  keepOpen(): void {
    this.deps.idle.lift(this.request);
  }

  keepStreamOpen(): () => void {
    return this.deps.idle.liftForStream(this.request);
  }
}

class StreamingPlace extends RequestPlace {
  override get takes_streams(): boolean {
    return true;
  }
}

type McpContext = ArgumentCallers & { request: Request; params?: { room?: string } };

/** Who may call at an address, by the headers (`credential_in_arguments`). */
type Callers = keyof McpRoutesDeps["resolvers"]["in_arguments"];

export function mcpRoutes(transport: McpTransport, deps: McpRoutesDeps) {
  const addresses: [path: string, by_headers: Callers][] = [
    ["/mcp", "reader"],
    ["/mcp/meet", "reader"],
    ["/mcp/meet/:room", "reader"],
    ...(deps.policy.oauth ? ([[account_path, "holder"]] satisfies [string, Callers][]) : []),
  ];
  for (const method of ["GET", "POST", "DELETE"]) {
    for (const [path, by_headers] of addresses) {
      // By its members: Elysia copies the answer of a handler that passes its whole context on, and a stream is lost.
      const handler = ({ request, base, callerOf, mayRead, params }: McpContext) => {
        const room = params?.room === undefined ? null : deps.spelled(params.room);
        const address = room === null ? path : `/mcp/meet/${encodeURIComponent(room)}`;
        const callers = { base, callerOf, mayRead };
        return transport.fetch(request, new RequestPlace(deps, request, callers, address, room));
      };
      if (method === "POST") deps.direct.post(path, deps.resolvers.in_arguments[by_headers], [], handler);
      deps.access.route(
        method,
        path,
        handler,
        // The transport reads the body itself, because errors in it have to be reported in JSON-RPC.
        { credential_in_arguments: by_headers, parse: "none", ...undocumented },
      );
    }
  }
}
