/** How callers reach names: routes, tools and documents. */

import type { ActivityOf, Feature } from "../discovery/feature.ts";
import type { Receipts } from "../receipts/receipts.ts";
import { callRoutes, callTools } from "../mcp/plain_call.ts";
import { nameCalls, type MentionsOf } from "./calls.ts";
import { namesAdminHttp } from "./admin_routes.ts";
import type { NameAdministration } from "./administration.ts";
import { name_documents } from "./discovery.ts";
import type { NameExport } from "./export.ts";
import type { Invites } from "./invites/invites.ts";
import { invitesHttp } from "./invites/routes.ts";
import { nameTools } from "./mcp/tools.ts";
import type { Names } from "./names.ts";
import { namePages } from "./activity/pages.ts";
import { claimPages, type SignIn } from "./pages.ts";
import { namesHttp } from "./routes.ts";

interface NameDeps {
  names: Names;
  administration: NameAdministration;
  invites: Invites;
  receipts: Receipts;
  signIn: SignIn;
  activities: ActivityOf[];
  mentionsOf: MentionsOf;
  exportLines(): Promise<NameExport>;
}

export function nameTransports(deps: NameDeps) {
  const { names, administration, invites, receipts, signIn, activities, mentionsOf, exportLines } = deps;
  const calls = nameCalls(names, receipts, mentionsOf);
  return {
    ...name_documents,
    routes: (http) => {
      namesHttp(names, exportLines, http);
      callRoutes(calls, http);
      claimPages({ names, signIn, mentionsOf, receipts }, http);
      namePages(names, activities, http);
      namesAdminHttp(administration, http);
      invitesHttp(invites, http);
    },
    tools: [...callTools(calls), ...nameTools(names)],
  } satisfies Feature;
}
