/** The addresses of the MCP transport: /mcp is the whole service, /mcp/meet the lobby of the rooms, /mcp/meet/{room} one room. */

import { undocumented } from "../web/openapi/describe.ts";
import type { Http } from "../web/context.ts";
import type { IdleTimeout } from "../web/idle_timeout.ts";
import { factsOf } from "../web/request_facts.ts";
import { takesStreams } from "./sse.ts";
import type { McpTransport } from "./transport.ts";

interface McpRoutesDeps extends Pick<Http, "access" | "open" | "memory"> {
  idle: IdleTimeout;
}

export function mcpRoutes(transport: McpTransport, { access, idle, open, memory }: McpRoutesDeps) {
  for (const method of ["GET", "POST", "DELETE"]) {
    for (const path of ["/mcp", "/mcp/meet", "/mcp/meet/:room"]) {
      access.route(
        method,
        path,
        ({ request, base, callerOf, params }) => {
          const { room = null } = (params ?? {}) as { room?: string };
          return transport.fetch(request, {
            request_id: factsOf(request).id,
            base,
            address: room === null ? path : `/mcp/meet/${encodeURIComponent(room)}`,
            room,
            caller: callerOf,
            takes_streams: takesStreams(request.headers),
            open: open.begin,
            reserve: (bytes) => memory.reserve(request, bytes),
            keepOpen: () => idle.lift(request),
            keepStreamOpen: () => idle.liftForStream(request),
          });
        },
        // The transport reads the body itself, because errors in it have to be reported in JSON-RPC.
        { credential_in_arguments: true, parse: "none", ...undocumented },
      );
    }
  }
}
