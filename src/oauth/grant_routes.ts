/** The routes of the grants of a name, and the form of its page that ends one. */

import { Type } from "@sinclair/typebox";
import { caller_errors } from "../core/caller_errors.ts";
import { readForm } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { doc, undocumented, write_failures } from "../web/openapi/describe.ts";
import { seeOther, sendJson } from "../web/responses.ts";
import * as schema from "../api/oauth.ts";
import { oauth_errors } from "./errors.ts";
import type { Grants } from "./grants.ts";

const GrantParams = Type.Object({ id: Type.String({ description: "The id of the grant." }) });

export const grantsHttp = (grants: Grants, { access }: Http) =>
  access
    .get(
      "/api/name/grants",
      async ({ caller }) => sendJson({ grants: await grants.list(caller) }, 200, caller),
      {
        needs: "named",
        ...doc({
          summary: "The programs that act under your name",
          description:
            "Programs that the name has let in by OAuth. An access token of such a program cannot make this call.",
          tag: "names",
          operation_id: "listGrants",
          answers: { 200: { description: "Its grants, the one used last first.", schema: schema.Grants } },
          failures: [caller_errors.credential_required],
        }),
      },
    )
    .delete(
      "/api/name/grants/:id",
      async ({ caller, params: { id } }) => {
        await grants.end(caller, id);
        return sendJson({ id, ended: true }, 200, caller);
      },
      {
        needs: "named",
        params: GrantParams,
        parse: "none",
        ...doc({
          summary: "End a program's grant",
          description:
            "The program's tokens stop at once. An access token of such a program cannot make this call.",
          tag: "names",
          operation_id: "endGrant",
          answers: { 200: { description: "It has ended.", schema: schema.EndedGrant } },
          failures: [caller_errors.credential_required, oauth_errors.grant_not_found, ...write_failures],
        }),
      },
    );

/** The form of /me that ends a grant. */
export const grantPages = (grants: Grants, { access, origins }: Http) =>
  access.post(
    "/me/grants",
    async ({ request, caller, base }) => {
      const { grant = "" } = await readForm(request, origins);
      await grants.end(caller, grant);
      return seeOther(`${base}/me`);
    },
    { needs: "named", parse: "none", ...undocumented },
  );
