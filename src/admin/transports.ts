/** How admins reach the admin API. There are no tools: an agent that reads strangers' texts should not hold such power. */

import type { Feature } from "../discovery/feature.ts";
import type { Admins } from "./admin.ts";
import type { Backups } from "./backups.ts";
import type { Retentions } from "./retention.ts";
import { admin_documents } from "./discovery.ts";
import { adminHttp } from "./routes.ts";

export const adminTransports = (admins: Admins, backups: Backups, retention: Retentions) =>
  ({
    ...admin_documents,
    routes: (http) => {
      adminHttp(admins, backups, retention, http);
    },
    tools: [],
    start() {
      backups.start();
      retention.start();
    },
    close() {
      backups.close();
      retention.close();
    },
  }) satisfies Feature;
