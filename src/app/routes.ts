/** Every HTTP route of the service. Clients of Eden are typed by `HttpRoutes`. */

import { Elysia } from "elysia";
import type { Beacon } from "../beacon/beacon.ts";
import { beaconHttp } from "../beacon/routes.ts";
import type { RateLimitSettings, OpenKind } from "../core/rate_limit/rate_limit.ts";
import type { Check } from "../core/storage.ts";
import { guideHttp } from "../discovery/routes.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { jobsPages } from "../jobs/pages.ts";
import { jobsHttp } from "../jobs/routes.ts";
import type { Lockers } from "../locker/locker.ts";
import { lockerHttp } from "../locker/routes.ts";
import type { Mailboxes } from "../mailbox/mailbox.ts";
import { mailboxHttp } from "../mailbox/routes.ts";
import { mcpRoutes } from "../mcp/routes.ts";
import type { Names } from "../names/names.ts";
import { namesHttp } from "../names/routes.ts";
import type { Receipts } from "../receipts/receipts.ts";
import { receiptsHttp } from "../receipts/routes.ts";
import { docs } from "../rooms/openapi.ts";
import { roomsPages } from "../rooms/pages.ts";
import type { Rooms } from "../rooms/rooms.ts";
import { roomsHttp } from "../rooms/routes.ts";
import type { Http } from "../web/context.ts";
import type { IdleTimeout } from "../web/idle_timeout.ts";
import { createQueryCheck } from "../web/query_fields.ts";
import { readinessResponse, readyz_doc } from "../web/readiness.ts";
import { error_catalog } from "./error_catalog.ts";
import type { AppMcp } from "./mcp.ts";

export interface RoutesDeps {
  features: {
    rooms: Rooms;
    names: Names;
    lockers: Lockers;
    beacon: Beacon;
    jobs: Jobs;
    mailboxes: Mailboxes;
    receipts: Receipts;
  };
  http: Http;
  mcp: AppMcp;
  idle: IdleTimeout;
  /** Counts an open request until the result is called. Throws `too_many_open`. */
  countOpen(request: Request, kind: OpenKind): () => void;
  health(): Promise<Record<string, Check>>;
  usage: RateLimitSettings;
  /** Turns an error that a route threw into an answer. `code` is Elysia's name for the kind of error. */
  onError(code: string | number, error: unknown, request: Request): Promise<Response>;
}

export type HttpRoutes = ReturnType<typeof httpRoutes>;

export function httpRoutes({ features, http, mcp, idle, countOpen, health, usage, onError }: RoutesDeps) {
  const { rooms, names, lockers, beacon, jobs, mailboxes, receipts } = features;
  const { access } = http;
  const checkQuery = createQueryCheck(() => app.routes);
  // docs/adr/0002-elysia.md says why `normalize` is off.
  const app = new Elysia({ name: "wharf", normalize: false, handler: { standardHostname: false } })
    .onError(({ code, error, request }) => onError(code, error, request))
    .onTransform(({ request, route, set }) => checkQuery({ request, route, set }))
    .use(access)
    .get("/healthz", () => Response.json({ status: "ok" }, { headers: { "cache-control": "no-store" } }), {
      needs: "public",
      ...docs.healthz,
    })
    .get("/readyz", async () => readinessResponse(await health()), { needs: "public", ...readyz_doc })
    .use(roomsHttp(rooms, receipts, http))
    .use(roomsPages(rooms, http))
    .use(namesHttp(names, receipts, http))
    .use(lockerHttp(lockers, http))
    .use(beaconHttp(beacon, http))
    .use(jobsHttp(jobs, http))
    .use(jobsPages(jobs, http))
    .use(mailboxHttp(mailboxes, http))
    .use(receiptsHttp(receipts, http))
    .use(mcpRoutes(mcp.transport, { access, idle, countOpen }));
  return app.use(guideHttp({ whole: () => app, rooms, mcpAt: mcp.at, usage, errors: error_catalog }, http));
}
