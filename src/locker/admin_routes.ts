/** The routes of lockers for admins. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { action_failures } from "../admin/openapi.ts";
import { Reasoned } from "../api/admin.ts";
import { bodyOf } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { doc } from "../web/openapi/describe.ts";
import { sendJson } from "../web/responses.ts";
import { locker_errors } from "./errors.ts";
import type { Lockers } from "./locker.ts";

const SlotParams = Type.Object({
  name: Type.String({ description: "The name, in any spelling of it." }),
  slot: Type.String({ description: "The slot's name, with its slashes encoded." }),
});

const remove = doc({
  summary: "Remove a slot of any name",
  tag: "moderation",
  operation_id: "removeSlotAsAdmin",
  answers: {
    200: {
      description: "It is erased.",
      schema: Type.Object({ removed: Type.Literal(true) }, { title: "RemovedSlot" }),
    },
  },
  failures: [...action_failures, locker_errors.slot_not_found],
});

export const lockerAdminHttp = (lockers: Lockers, { access }: Http) =>
  new Elysia({ name: "locker-admin" })
    .use(access)
    .post(
      "/api/admin/lockers/:name/:slot/remove",
      async ({ admin, params: { name, slot }, body }) =>
        sendJson(await lockers.removeAsAdmin(admin, name, slot, body.reason), 200),
      { needs_scope: "moderate", params: SlotParams, ...bodyOf(Reasoned), ...remove },
    );
