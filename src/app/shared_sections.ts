/** Features that share a section of the documents with another. */

import { moderation_documents } from "../admin/discovery.ts";
import { bansHttp } from "../bans/admin_routes.ts";
import type { Bans } from "../bans/bans.ts";
import type { Feature } from "../discovery/feature.ts";
import type { nameTransports } from "../names/transports.ts";
import { reportPages } from "../reports/pages.ts";
import type { Reports } from "../reports/reports.ts";
import { reportsHttp } from "../reports/routes.ts";
import { room_errors } from "../rooms/errors.ts";
import { sessionPages } from "../sessions/pages.ts";
import type { Http } from "../web/context.ts";

/** Signing in, and the programs that a name has let in, belong to the section of names. */
export const withSignIn = (
  of_names: ReturnType<typeof nameTransports>,
  of_sessions: Parameters<typeof sessionPages>[0],
  programRoutes: (http: Http) => void,
) =>
  ({
    ...of_names,
    routes: (http) => {
      of_names.routes(http);
      sessionPages(of_sessions, http);
      programRoutes(http);
    },
    not_crawled: ["/signin", "/claim", "/me"],
  }) satisfies Feature;

/** What admins do with the contributions of callers. The routes that belong to a feature are with it. */
export const moderationTransports = (bans: Bans, reports: Reports) =>
  ({
    ...moderation_documents,
    routes: (http) => {
      bansHttp(bans, http);
      reportsHttp(reports, http, [
        room_errors.room_not_found,
        room_errors.room_deleted,
        room_errors.post_not_found,
        room_errors.post_removed,
      ]);
      reportPages(reports, http);
    },
    tools: [],
  }) satisfies Feature;
