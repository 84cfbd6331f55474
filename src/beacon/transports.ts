/** How callers reach the beacon: routes, tools and documents. */

import type { Feature } from "../discovery/feature.ts";
import type { Beacon } from "./beacon.ts";
import { beacon_documents } from "./discovery.ts";
import { beacon_http_hints } from "./http_hints.ts";
import { beaconTools } from "./mcp/tools.ts";
import { beaconHttp } from "./routes.ts";

export const beaconTransports = (beacon: Beacon) =>
  ({
    ...beacon_documents,
    http_hints: beacon_http_hints,
    routes: (http) => [beaconHttp(beacon, http)],
    tools: beaconTools(beacon),
    start: () => beacon.start(),
    close: () => beacon.close(),
  }) satisfies Feature;
