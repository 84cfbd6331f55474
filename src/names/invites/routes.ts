/** The routes of invitations, for admins. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { Reasoned } from "../../api/admin.ts";
import { bodyOf, readOptionalJson } from "../../web/body.ts";
import type { Http } from "../../web/context.ts";
import { sendJson } from "../../web/responses.ts";
import type { Invites } from "./invites.ts";
import { docs } from "./openapi.ts";
import { CreateInvite } from "../../api/names/invites.ts";

const InviteParams = Type.Object({ id: Type.String({ description: "The id of the invitation." }) });

export function invitesHttp(invites: Invites, { access }: Http) {
  return new Elysia({ name: "invites" })
    .use(access)
    .get("/api/admin/invites", async () => sendJson({ invites: await invites.list() }, 200), {
      needs_scope: "operate",
      ...docs.list,
    })
    .post("/api/admin/invites", async ({ admin, body }) => sendJson(await invites.create(admin, body), 201), {
      needs_scope: "operate",
      ...bodyOf(CreateInvite, readOptionalJson),
      ...docs.create,
    })
    .post(
      "/api/admin/invites/:id/revoke",
      async ({ admin, params, body }) => sendJson(await invites.revoke(admin, params.id, body.reason), 200),
      { needs_scope: "operate", params: InviteParams, ...bodyOf(Reasoned), ...docs.revoke },
    );
}
