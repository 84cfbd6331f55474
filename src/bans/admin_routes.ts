/** The routes of bans, for admins. */

import { Elysia } from "elysia";
import { action_failures, admin_failures } from "../admin/openapi.ts";
import { call_errors } from "../core/error_codes.ts";
import { countOf } from "../core/fields.ts";
import { bodyOf } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { doc } from "../web/openapi/describe.ts";
import { sendJson } from "../web/responses.ts";
import type { Bans } from "./bans.ts";
import { ban_errors } from "./errors.ts";
import * as schema from "../api/bans.ts";
import { ban_limits } from "../api/limits.ts";

const of_moderation = { tag: "moderation" } as const;

const docs = {
  list: doc({
    summary: "Banned networks",
    ...of_moderation,
    operation_id: "listBans",
    answers: { 200: { description: "In the order of their text.", schema: schema.Bans } },
    failures: [...admin_failures, call_errors.invalid_fields],
  }),
  ban: doc({
    summary: "Ban a network",
    ...of_moderation,
    operation_id: "banNetwork",
    answers: { 200: { description: "The ban.", schema: schema.Ban } },
    failures: [...action_failures, ban_errors.cannot_ban, ban_errors.too_many_bans],
  }),
  lift: doc({
    summary: "Lift the ban of a network",
    ...of_moderation,
    operation_id: "liftBan",
    answers: { 200: { description: "Whether it was banned.", schema: schema.Lifted } },
    failures: action_failures,
  }),
};

export const bansHttp = (bans: Bans, { access }: Http) =>
  new Elysia({ name: "bans" })
    .use(access)
    .get(
      "/api/admin/bans",
      async ({ query }) =>
        sendJson(await bans.list(countOf(query.limit) ?? ban_limits.bans_page_default, query.cursor), 200),
      { needs_scope: "moderate", query: schema.BansQuery, ...docs.list },
    )
    .post("/api/admin/bans", async ({ admin, body }) => sendJson(await bans.ban(admin, body), 200), {
      needs_scope: "moderate",
      ...bodyOf(schema.BanNetwork),
      ...docs.ban,
    })
    .post("/api/admin/bans/lift", async ({ admin, body }) => sendJson(await bans.lift(admin, body), 200), {
      needs_scope: "moderate",
      ...bodyOf(schema.LiftBan),
      ...docs.lift,
    });
