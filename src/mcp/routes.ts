/** The addresses of the MCP transport: /mcp is the whole service, /mcp/meet the lobby of the rooms, /mcp/meet/{room} one room. */

import type { Ready } from "../core/ready.ts";
import { undocumented } from "../web/openapi/describe.ts";
import type { Http } from "../web/context.ts";
import { factsOf } from "../web/request_facts.ts";
import { takesStreams } from "./sse.ts";
import type { McpTransport } from "./transport.ts";
import type { Place } from "./types.ts";

type McpRoutesDeps = Pick<Http, "access" | "resolvers" | "direct" | "idle" | "open" | "memory">;

/** The place of an HTTP request. Most calls need few of its members, so that none of them is made before. */
class RequestPlace implements Place {
  constructor(
    private readonly deps: McpRoutesDeps,
    private readonly request: Request,
    readonly base: string,
    readonly address: string,
    readonly room: string | null,
    readonly caller: Place["caller"],
  ) {}

  get request_id(): string {
    return factsOf(this.request).id;
  }

  get takes_streams(): boolean {
    return takesStreams(this.request.headers);
  }

  takingStreams(): Place {
    const { deps, request, base, address, room, caller } = this;
    return new StreamingPlace(deps, request, base, address, room, caller);
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

interface McpContext {
  request: Request;
  base: string;
  callerOf: Place["caller"];
  params?: { room?: string };
}

export function mcpRoutes(transport: McpTransport, deps: McpRoutesDeps) {
  for (const method of ["GET", "POST", "DELETE"]) {
    for (const path of ["/mcp", "/mcp/meet", "/mcp/meet/:room"]) {
      const handler = ({ request, base, callerOf, params }: McpContext) => {
        const { room = null } = params ?? {};
        const address = room === null ? path : `/mcp/meet/${encodeURIComponent(room)}`;
        return transport.fetch(request, new RequestPlace(deps, request, base, address, room, callerOf));
      };
      if (method === "POST") deps.direct.post(path, deps.resolvers.inArguments, [], handler);
      deps.access.route(
        method,
        path,
        handler,
        // The transport reads the body itself, because errors in it have to be reported in JSON-RPC.
        { credential_in_arguments: true, parse: "none", ...undocumented },
      );
    }
  }
}
