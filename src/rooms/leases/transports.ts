/** How callers reach leases: routes and documents. */

import type { Feature } from "../../discovery/feature.ts";
import { lease_documents } from "./discovery.ts";
import type { Leases } from "./leases.ts";
import { leasesHttp } from "./routes.ts";

export const leaseTransports = (leases: Leases) =>
  ({
    ...lease_documents,
    routes: (http) => void leasesHttp(leases, http),
    tools: [],
    close: () => leases.close(),
  }) satisfies Feature;
