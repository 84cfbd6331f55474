/** The route of admins for leases: POST /api/admin/rooms/{room}/leases/break. */

import { adminCall, adminRoutes } from "../../admin/admin_call.ts";
import { BreakLeasesAsAdmin, BrokenLeases } from "../../api/leases.ts";
import { RoomParams } from "../../api/rooms/params.ts";
import type { Http } from "../../web/context.ts";
import { room_errors } from "../errors.ts";
import { slugFromAddress } from "../slug.ts";
import type { Leases } from "./leases.ts";

export const leasesAdminHttp = (leases: Leases, http: Http) =>
  adminRoutes(http, [
    adminCall({
      at: "POST /api/admin/rooms/:room/leases/break",
      scope: "moderate",
      params: RoomParams,
      body: BreakLeasesAsAdmin,
      summary: "End leases in a room",
      description: "Each holder finds a note. Without a lease on these paths, nothing changes.",
      operation_id: "breakLeasesAsAdmin",
      answers: { 200: { description: "What has ended.", schema: BrokenLeases } },
      failures: [room_errors.room_not_found, room_errors.room_deleted],
      run: ({ admin, params, body }) =>
        leases.breakAsAdmin(admin, { ...body, room: slugFromAddress(params.room) }),
    }),
  ]);
