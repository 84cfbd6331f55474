/** How callers reach lockers: routes, tools and documents. */

import type { Feature } from "../discovery/feature.ts";
import { lockerAdminHttp } from "./admin_routes.ts";
import { locker_documents } from "./discovery.ts";
import { locker_http_hints } from "./http_hints.ts";
import type { Lockers } from "./locker.ts";
import { lockerTools } from "./mcp/tools.ts";
import { lockerHttp } from "./routes.ts";

export const lockerTransports = (lockers: Lockers) =>
  ({
    ...locker_documents,
    http_hints: locker_http_hints,
    routes: (http) => [lockerHttp(lockers, http), lockerAdminHttp(lockers, http)],
    tools: lockerTools(lockers),
  }) satisfies Feature;
