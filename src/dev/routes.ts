/** The calls below /_dev, with which a test suite controls the service. */

import { Elysia, type AnyElysia } from "elysia";
import { ServiceError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { asset_paths } from "../app/assets.ts";
import { createRoutes, pathOf, type Routes } from "../web/allowed_methods.ts";
import { mountedRoutes } from "../web/mounted_routes.ts";
import { web_errors } from "../web/errors.ts";
import { failureOf } from "../web/error_handler.ts";
import type { OriginRules } from "../web/origin_rules.ts";
import type { RequestOrigin } from "../web/request_origin.ts";
import { problemResponse } from "../web/problems.ts";
import { page_security } from "../web/page_headers.ts";
import { sendTagged, shared_headers, taggedHtml } from "../web/responses.ts";
import { countIn, queryOf, readerOf } from "./bodies.ts";
import type { Controls } from "./controls.ts";
import type { Faults } from "./faults.ts";
import type { RequestLog } from "./request_log.ts";
import type { RouteTable } from "./route_table.ts";
import type { Snapshots } from "./snapshots.ts";
import { ChangeClock, NewFault, NewSnapshot } from "./schema.ts";

/** Whether the request is for a path below /_dev. */
export const isForDev = (request: Request): boolean => /^\/_dev(?:\/|$)/.test(pathOf(request));

const readChange = readerOf(ChangeClock);
const readFault = readerOf(NewFault);
const readSnapshot = readerOf(NewSnapshot);

interface DevRoutesDeps {
  controls: Controls;
  routes: RouteTable;
  requests: RequestLog;
  faults: Faults;
  snapshots: Snapshots;
  origins: OriginRules;
  request_origin: Pick<RequestOrigin, "base" | "checkHost">;
  log: Log;
}

/** Returns a function that answers the requests below /_dev. */
export function createDevRoutes({
  controls,
  routes: app_routes,
  requests,
  faults,
  snapshots,
  origins,
  request_origin,
  log,
}: DevRoutesDeps) {
  const ok = (value: object) => answerWith(value, 200);
  // The handlers read bodies themselves.
  const unread = { parse: "none" } as const;

  const app = new Elysia({ name: "dev", normalize: false, handler: { standardHostname: false } })
    .onError(({ code, error, request }) => {
      const failure = withPaths(failureOf(code, error, request, routes, log), app);
      return problemResponse(failure, request_origin.base(request));
    })
    .onRequest(({ request }) => {
      request_origin.checkHost(request);
      origins.check(request);
      return request.method === "OPTIONS" ? options(request) : undefined;
    })
    .get("/_dev", () => ok(controls.state()))
    .get("/_dev/components", async ({ request }) => {
      const { componentGallery } = await import("../../views/component_gallery.tsx");
      const html = await componentGallery({
        base: new URL(request.url).origin,
        navigation: gallery_navigation,
        me: null,
      });
      return sendTagged(request, taggedHtml(html, page_security));
    })
    .post("/_dev/reset", async () => ok(await controls.reset()), unread)
    .post(
      "/_dev/clock",
      async ({ request }) => ok(await controls.setClock(await readChange(request))),
      unread,
    )
    .get("/_dev/snapshots", () => ok({ snapshots: snapshots.list() }))
    .post(
      "/_dev/snapshots",
      async ({ request }) => answerWith(await snapshots.create((await readSnapshot(request)).name), 201),
      unread,
    )
    .post(
      "/_dev/snapshots/:name/restore",
      async ({ params }) => {
        await snapshots.restore(params.name);
        return ok(controls.state());
      },
      unread,
    )
    .delete("/_dev/snapshots/:name", ({ params }) => ok(snapshots.delete(params.name)))
    .get("/_dev/log", ({ request }) => {
      const { route, since } = queryOf(request, ["route", "since"]);
      const isMeant = route === undefined ? () => true : app_routes.pattern(route, "route");
      return ok(requests.list(countIn("since", since), isMeant));
    })
    .delete("/_dev/log", () => ok({ deleted: requests.clear() }))
    .get("/_dev/faults", () => ok({ faults: faults.list() }))
    .post(
      "/_dev/faults",
      async ({ request }) => answerWith(faults.add(await readFault(request)), 201),
      unread,
    )
    .delete("/_dev/faults", () => ok({ deleted: faults.clear() }))
    .delete("/_dev/faults/:id", ({ params }) => ok(faults.delete(params.id)));
  const routes: Routes = createRoutes(mountedRoutes(app), []);

  function options(request: Request): Response {
    const allow = routes.methods(pathOf(request)).join(", ");
    return new Response(null, { status: 204, headers: { allow, ...origins.preflight(request, allow) } });
  }

  return async (request: Request): Promise<Response> => {
    const { url, headers, method } = request;
    const response = await app.fetch(method === "HEAD" ? new Request(url, { headers }) : request);
    origins.addCors(request, response);
    return response;
  };
}

const gallery_navigation = {
  links: [],
  about: { title: null, contact: null, terms_url: null },
  assets: asset_paths,
};

/** An answer in JSON of any length, sent as a whole. */
const answerWith = (value: object, status: number): Response =>
  Response.json(value, { status, headers: { ...shared_headers, "cache-control": "no-store" } });

/** The failure; for a path that does not exist, with a hint that names those that do. */
function withPaths(failure: ServiceError, { routes }: AnyElysia): ServiceError {
  if (failure.definition !== web_errors.path_not_found) return failure;
  const calls = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
  return new ServiceError(failure.definition, failure.detail, { hint: `There is ${calls.join(", ")}.` });
}
