/** How callers reach leases: routes, tools and documents. */

import type { Feature } from "../../discovery/feature.ts";
import { leasesAdminHttp } from "./admin_routes.ts";
import { lease_documents } from "./discovery.ts";
import type { Leases } from "./leases.ts";
import { leaseTools } from "./mcp/tools.ts";
import { leasesHttp } from "./routes.ts";

export const leaseTransports = (leases: Leases) =>
  ({
    ...lease_documents,
    routes: (http) => {
      leasesHttp(leases, http);
      leasesAdminHttp(leases, http);
    },
    tools: leaseTools({ leases, own_room: false }),
    close: () => leases.close(),
  }) satisfies Feature;
