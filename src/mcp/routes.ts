/** Where the MCP door stands: /mcp is the whole house, /mcp/meet the lobby of the rooms, /mcp/meet/{room} one room. */

import { Elysia } from "elysia";
import type { Caller } from "../core/caller.ts";
import { undocumented } from "../web/openapi/describe.ts";
import type { OpenKind } from "../core/rate_limit/rate_limit.ts";
import type { Http } from "../web/context.ts";
import type { IdleTimeout } from "../web/idle_timeout.ts";
import type { McpDoor } from "./transport.ts";

export interface McpRoutesDeps extends Pick<Http, "request_origin" | "caller"> {
  idle: IdleTimeout;
  /** Counts what a request has open until the result is called. Throws `too_many_open`. */
  countOpen(request: Request, kind: OpenKind): () => void;
}

export function mcpRoutes(door: McpDoor, { request_origin, caller, idle, countOpen }: McpRoutesDeps) {
  const at = (request: Request, address: string, room: string | null = null): Promise<Response> => {
    // By its headers a request has one caller, whoever asks for it.
    let by_headers: Promise<Caller> | undefined;
    return door.fetch(request, {
      base: request_origin.base(request),
      address,
      room,
      caller: (argument) => (argument ? caller(request, argument) : (by_headers ??= caller(request))),
      open: (kind) => countOpen(request, kind),
      keepOpen: () => idle.lift(request),
      keepStreamOpen: () => idle.liftForStream(request),
    });
  };
  // The door reads the body itself: what is wrong with it has to be said in JSON-RPC.
  const raw = { parse: "none", ...undocumented } as const;
  const app = new Elysia({ name: "mcp" });
  for (const method of ["GET", "POST", "DELETE"]) {
    app
      .route(method, "/mcp", ({ request }) => at(request, "/mcp"), raw)
      .route(method, "/mcp/meet", ({ request }) => at(request, "/mcp/meet"), raw)
      .route(
        method,
        "/mcp/meet/:room",
        ({ request, params: { room } }) => at(request, `/mcp/meet/${encodeURIComponent(room)}`, room),
        raw,
      );
  }
  return app;
}
