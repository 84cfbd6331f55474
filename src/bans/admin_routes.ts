/** The routes of bans, for admins. */

import { adminCall, adminRoutes } from "../admin/admin_call.ts";
import { countOf } from "../core/fields.ts";
import type { Http } from "../web/context.ts";
import type { Bans } from "./bans.ts";
import { ban_errors } from "./errors.ts";
import * as schema from "../api/bans.ts";
import { ban_limits } from "../api/limits.ts";

export const bansHttp = (bans: Bans, http: Http) =>
  adminRoutes(http, [
    adminCall({
      at: "GET /api/admin/bans",
      scope: "moderate",
      query: schema.BansQuery,
      summary: "Banned networks",
      operation_id: "listBans",
      answers: { 200: { description: "In the order of their text.", schema: schema.Bans } },
      run: ({ query }) => bans.list(countOf(query.limit) ?? ban_limits.bans_page_default, query.cursor),
    }),
    adminCall({
      at: "POST /api/admin/bans",
      scope: "moderate",
      body: schema.BanNetwork,
      summary: "Ban a network",
      operation_id: "banNetwork",
      answers: { 200: { description: "The ban.", schema: schema.BannedNetwork } },
      failures: [ban_errors.cannot_ban, ban_errors.too_many_bans],
      run: ({ admin, body }) => bans.ban(admin, body),
    }),
    adminCall({
      at: "POST /api/admin/bans/lift",
      scope: "moderate",
      body: schema.LiftBan,
      summary: "Lift the ban of a network",
      operation_id: "liftBan",
      answers: { 200: { description: "Whether it was banned.", schema: schema.Lifted } },
      run: ({ admin, body }) => bans.lift(admin, body),
    }),
  ]);
