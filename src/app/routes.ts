/** Every HTTP route of the service, and the navigation of its pages. */

import type { Caller } from "../core/caller.ts";
import type { About } from "../core/about.ts";
import type { ErrorDefinition } from "../core/error_definition.ts";
import type { RateLimitSettings } from "../core/rate_limit/rate_limit.ts";
import type { Check } from "../core/storage.ts";
import type { Feature } from "../discovery/feature.ts";
import { adminPages } from "../admin/pages.ts";
import { homeRoutes } from "../discovery/home.ts";
import { discoveryRoutes } from "../discovery/routes.ts";
import { mcpRoutes } from "../mcp/routes.ts";
import { plainSlug } from "../rooms/slug.ts";
import type { Navigation } from "../api/pages.ts";
import type { Rooms } from "../rooms/rooms.ts";
import { asset_paths, assetRoutes } from "./assets.ts";
import type { Http } from "../web/context.ts";
import { factsOf } from "../web/request_facts.ts";
import { sendJson } from "../web/responses.ts";
import { mountedRoutes } from "../web/mounted_routes.ts";
import { createQueryCheck } from "../web/query_fields.ts";
import { healthz_doc, readinessResponse, readyz_doc } from "../web/readiness.ts";
import type { AppMcp } from "./mcp.ts";

interface RoutesDeps {
  features: Feature[];
  rooms: Rooms;
  http: Http;
  mcp: AppMcp;
  health(): Promise<Record<string, Check>>;
  usage: RateLimitSettings;
  /** All expected errors, by code. */
  errors: Record<string, ErrorDefinition>;
  /** Turns an error that a route threw into an answer. `code` is Elysia's name for the kind of error. */
  onError(code: string | number, error: unknown, request: Request): Promise<Response>;
}

export function httpRoutes(deps: RoutesDeps) {
  const { features, rooms, http, mcp, health, usage, errors, onError } = deps;
  const { access } = http;
  const checkQuery = createQueryCheck(() => mountedRoutes(access));
  // Elysia applies hooks to the routes that are mounted after them.
  access
    .onError(({ code, error, request }) => onError(code, error, request))
    .onTransform(({ request, route }) => {
      factsOf(request).route = route;
      checkQuery(request, route);
    })
    .get("/healthz", () => sendJson({ status: "ok" }, 200), {
      needs: "public",
      ...healthz_doc,
    })
    .get("/readyz", async () => readinessResponse(await health()), { needs: "public", ...readyz_doc });
  for (const feature of features) feature.routes(http);
  const pages = byPage(features).flatMap(({ page = [] }) => page);
  const news = byPage(features).flatMap(({ news = [] }) => news);
  const findRoom = async (caller: Caller, slug: string) =>
    rooms.find(await rooms.admit(caller, plainSlug(slug)));
  assetRoutes(access);
  homeRoutes(news, http);
  adminPages(() => access, rooms.goalsForAdmin, http);
  mcpRoutes(mcp.transport, { ...http, spelled: plainSlug });
  discoveryRoutes({ whole: () => access, features, pages, mcpAt: mcp.at, findRoom, usage, errors }, http);
  return access;
}

/** The features in the order of their pages: those without one are last. */
const byPage = (features: Feature[]): Feature[] =>
  features.toSorted((a, b) => (a.page?.place ?? features.length) - (b.page?.place ?? features.length));

/** The navigation and the foot of every page. */
export function navigationOf(features: Feature[], about: About): Navigation {
  const links = byPage(features).flatMap(({ page = [] }) => page);
  return { links: [...links, { title: "API", path: "/api" }], about, assets: asset_paths };
}
