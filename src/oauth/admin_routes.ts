/** The routes of programs that sign in by OAuth, for admins. */

import { adminCall, adminRoutes } from "../admin/admin_call.ts";
import { countOf } from "../core/fields.ts";
import type { Http } from "../web/context.ts";
import * as schema from "../api/oauth.ts";
import type { ClientsAdmin } from "./clients_admin.ts";
import { oauth_errors } from "./errors.ts";

export const clientsAdminHttp = (clients: ClientsAdmin, http: Http) =>
  adminRoutes(http, [
    adminCall({
      at: "GET /api/admin/clients",
      scope: "moderate",
      query: schema.ClientsQuery,
      summary: "Programs that sign in by OAuth",
      operation_id: "listOAuthClients",
      answers: { 200: { description: "Those used last first.", schema: schema.OAuthClients } },
      run: async ({ query }) => ({ clients: await clients.list(countOf(query.limit)) }),
    }),
    adminCall({
      at: "POST /api/admin/clients",
      scope: "operate",
      body: schema.AddClient,
      summary: "Add a program that need not register",
      description: "For a program that neither describes itself at an address nor registers itself.",
      operation_id: "addOAuthClient",
      answers: { 201: { description: "The program, and its secret once.", schema: schema.AddedClient } },
      run: ({ admin, body }) => clients.add(admin, body),
    }),
    adminCall({
      at: "POST /api/admin/clients/end",
      scope: "moderate",
      body: schema.EndClient,
      summary: "End a program",
      description:
        "All grants to it end at once. One that has registered here is forgotten, and can register again.",
      operation_id: "endOAuthClient",
      answers: { 200: { description: "It has ended.", schema: schema.EndedClient } },
      failures: [oauth_errors.client_not_found],
      run: ({ admin, body }) => clients.end(admin, body.client_id, body.reason),
    }),
  ]);
