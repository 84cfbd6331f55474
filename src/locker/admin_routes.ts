/** The route of lockers for admins. */

import { Type } from "@sinclair/typebox";
import { adminCall, adminRoutes } from "../admin/admin_call.ts";
import { Reasoned } from "../api/admin.ts";
import { RemovedSlot } from "../api/locker/locker.ts";
import type { Http } from "../web/context.ts";
import { locker_errors } from "./errors.ts";
import type { Lockers } from "./locker.ts";

const SlotParams = Type.Object({
  name: Type.String({ description: "The name, in any spelling of it." }),
  slot: Type.String({ description: "The slot's name, with its slashes encoded." }),
});

export const lockerAdminHttp = (lockers: Lockers, http: Http) =>
  adminRoutes(http, [
    adminCall({
      at: "POST /api/admin/lockers/:name/:slot/remove",
      scope: "moderate",
      params: SlotParams,
      body: Reasoned,
      summary: "Remove a slot of any name",
      operation_id: "removeSlotAsAdmin",
      answers: { 200: { description: "It is erased.", schema: RemovedSlot } },
      failures: [locker_errors.slot_not_found],
      run: ({ admin, params: { name, slot }, body }) => lockers.removeAsAdmin(admin, name, slot, body.reason),
    }),
  ]);
