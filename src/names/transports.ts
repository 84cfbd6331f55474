/** How callers reach names: routes, tools and documents. */

import type { ActivityOf, Feature } from "../discovery/feature.ts";
import type { Receipts } from "../receipts/receipts.ts";
import { namesAdminHttp } from "./admin_routes.ts";
import type { NameAdministration } from "./administration.ts";
import { name_documents } from "./discovery.ts";
import { name_guessed_paths } from "./guessed_paths.ts";
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
}

export const nameTransports = ({ names, administration, invites, receipts, signIn, activities }: NameDeps) =>
  ({
    ...name_documents,
    guessed_paths: name_guessed_paths,
    routes: (http) => [
      namesHttp(names, receipts, http),
      claimPages(names, signIn, http),
      namePages(names, activities, http),
      namesAdminHttp(administration, http),
      invitesHttp(invites, http),
    ],
    tools: nameTools(names, receipts),
  }) satisfies Feature;
