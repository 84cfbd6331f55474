/** The routes of invitations, for admins. */

import { Type } from "@sinclair/typebox";
import { adminCall, adminRoutes } from "../../admin/admin_call.ts";
import { Reasoned } from "../../api/admin.ts";
import { readOptionalJson } from "../../web/body.ts";
import type { Http } from "../../web/context.ts";
import { name_errors } from "../errors.ts";
import type { Invites } from "./invites.ts";
import { CreatedInvite, CreateInvite, InviteList, RevokedInvite } from "../../api/names/invites.ts";

const InviteParams = Type.Object({ id: Type.String({ description: "The id of the invitation." }) });

export const invitesHttp = (invites: Invites, http: Http) =>
  adminRoutes(http, [
    adminCall({
      at: "GET /api/admin/invites",
      scope: "operate",
      summary: "The invitations",
      operation_id: "listInvites",
      answers: { 200: { description: "The newest first, without their codes.", schema: InviteList } },
      run: async () => ({ invites: await invites.list() }),
    }),
    adminCall({
      at: "POST /api/admin/invites",
      scope: "operate",
      body: CreateInvite,
      reads: readOptionalJson,
      summary: "Make an invitation",
      description: "Its code goes into POST /api/name as invite. Under --claims invite a claim takes one.",
      operation_id: "createInvite",
      body_optional: true,
      answers: { 201: { description: "The invitation and its code, once.", schema: CreatedInvite } },
      run: ({ admin, body }) => invites.create(admin, body),
    }),
    adminCall({
      at: "POST /api/admin/invites/:id/revoke",
      scope: "operate",
      params: InviteParams,
      body: Reasoned,
      summary: "Revoke an invitation",
      description: "Names that were claimed with it stay.",
      operation_id: "revokeInvite",
      answers: { 200: { description: "The invitation, revoked.", schema: RevokedInvite } },
      failures: [name_errors.invite_not_found],
      run: ({ admin, params, body }) => invites.revoke(admin, params.id, body.reason),
    }),
  ]);
