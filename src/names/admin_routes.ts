/** The routes of names for admins. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { action_failures } from "../admin/openapi.ts";
import { Reasoned } from "../api/admin.ts";
import { bodyOf } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { doc } from "../web/openapi/describe.ts";
import { sendJson } from "../web/responses.ts";
import type { NameAdministration } from "./administration.ts";
import { name_errors } from "./errors.ts";
import { NameStanding, Suspend } from "../api/names/names.ts";

const NameParams = Type.Object({ name: Type.String({ description: "The name, in any spelling of it." }) });

const docOf = (summary: string, operation_id: string) =>
  doc({
    summary,
    tag: "moderation",
    operation_id,
    answers: { 200: { description: "The name now.", schema: NameStanding } },
    failures: action_failures,
  });

const docs = {
  suspend: docOf("Suspend a name", "suspendName"),
  unsuspend: docOf("End the suspension of a name", "unsuspendName"),
  reserve: docOf("Let nobody claim a name or speak under it", "reserveName"),
  unreserve: docOf("End the reservation of a name", "unreserveName"),
  release: doc({
    summary: "Free a claimed name for others",
    description: "Its keys stop working; its locker and mailbox are erased.",
    tag: "moderation",
    operation_id: "releaseName",
    answers: { 200: { description: "The name now.", schema: NameStanding } },
    failures: [...action_failures, name_errors.name_not_claimed],
  }),
};

export function namesAdminHttp(names: NameAdministration, { access }: Http) {
  const options = { needs_scope: "moderate", params: NameParams, ...bodyOf(Reasoned) } as const;
  return new Elysia({ name: "names-admin" })
    .use(access)
    .post(
      "/api/admin/names/:name/suspend",
      async ({ admin, params, body }) => sendJson(await names.suspend(admin, { ...body, ...params }), 200),
      { needs_scope: "moderate", params: NameParams, ...bodyOf(Suspend), ...docs.suspend },
    )
    .post(
      "/api/admin/names/:name/unsuspend",
      async ({ admin, params, body }) => sendJson(await names.unsuspend(admin, { ...body, ...params }), 200),
      { ...options, ...docs.unsuspend },
    )
    .post(
      "/api/admin/names/:name/reserve",
      async ({ admin, params, body }) => sendJson(await names.reserve(admin, { ...body, ...params }), 200),
      { ...options, ...docs.reserve },
    )
    .post(
      "/api/admin/names/:name/unreserve",
      async ({ admin, params, body }) => sendJson(await names.unreserve(admin, { ...body, ...params }), 200),
      { ...options, ...docs.unreserve },
    )
    .post(
      "/api/admin/names/:name/release",
      async ({ admin, params, body }) => sendJson(await names.release(admin, { ...body, ...params }), 200),
      { ...options, ...docs.release },
    );
}
