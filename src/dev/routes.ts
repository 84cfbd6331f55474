/** The calls below /_dev, with which a test suite controls the service. */

import { Elysia } from "elysia";
import type { Log } from "../core/log.ts";
import { createRoutes, type Routes } from "../web/allowed_methods.ts";
import { failureOf } from "../web/error_handler.ts";
import { createOriginRules } from "../web/origin_rules.ts";
import { problemResponse } from "../web/problems.ts";
import { sendJson } from "../web/responses.ts";
import type { Controls } from "./controls.ts";

/** Answers the requests below /_dev. */
export function createDevRoutes(
  controls: Controls,
  log: Log,
): (request: Request) => Response | Promise<Response> {
  const origins = createOriginRules({ base_url: null, allowed_origins: [], is_development: true });
  let routes: Routes;
  const app = new Elysia({ name: "dev", normalize: false, handler: { standardHostname: false } })
    .onError(({ code, error, request }) => problemResponse(failureOf(code, error, request, routes, log), ""))
    .onRequest(({ request }) => origins.check(request))
    .get("/_dev", () => sendJson(controls.state(), 200))
    .post("/_dev/reset", async () => {
      await controls.reset();
      return sendJson(controls.state(), 200);
    });
  routes = createRoutes(app, []);
  return app.fetch;
}
