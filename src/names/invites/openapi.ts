/** OpenAPI annotations of the routes of invitations. */

import { action_failures, admin_failures } from "../../admin/openapi.ts";
import { doc } from "../../web/openapi/describe.ts";
import { name_errors } from "../errors.ts";
import { CreatedInvite, Invite, InviteList } from "../../api/names/invites.ts";

const of_admin = { tag: "admin" } as const;

export const docs = {
  list: doc({
    summary: "The invitations",
    ...of_admin,
    operation_id: "listInvites",
    answers: { 200: { description: "The newest first, without their codes.", schema: InviteList } },
    failures: admin_failures,
  }),
  create: doc({
    summary: "Make an invitation",
    description: "Its code goes into POST /api/name as invite. Under --claims invite a claim takes one.",
    ...of_admin,
    operation_id: "createInvite",
    body_optional: true,
    answers: { 201: { description: "The invitation and its code, once.", schema: CreatedInvite } },
    failures: action_failures,
  }),
  revoke: doc({
    summary: "Revoke an invitation",
    description: "Names that were claimed with it stay.",
    ...of_admin,
    operation_id: "revokeInvite",
    answers: { 200: { description: "The invitation, revoked.", schema: Invite } },
    failures: [...action_failures, name_errors.invite_not_found],
  }),
};
