/** The routes of moderation: /api/admin/posts and /api/admin/rooms. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { Reasoned } from "../api/admin.ts";
import { bodyOf } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { sendJson } from "../web/responses.ts";
import type { Moderation } from "./moderation.ts";
import { admin_docs } from "./admin_openapi.ts";
import { RoomParams } from "../api/rooms/params.ts";
import { slugFromAddress } from "./slug.ts";

const PostParams = Type.Object({ id: Type.String({ description: "The post's id." }) });

export function moderationHttp(moderation: Moderation, { access }: Http) {
  const app = new Elysia({ name: "rooms-admin" }).use(access);
  for (const action of ["hide", "restore", "erase"] as const) {
    app.post(
      `/api/admin/posts/:id/${action}`,
      async ({ admin, params, body }) =>
        sendJson(await moderation.post(admin, action, params.id, body.reason), 200),
      { needs_scope: "moderate", params: PostParams, ...bodyOf(Reasoned), ...admin_docs[action] },
    );
  }
  for (const action of ["close", "reopen", "delete"] as const) {
    app.post(
      `/api/admin/rooms/:room/${action}`,
      async ({ admin, params, body }) =>
        sendJson(await moderation[action](admin, slugFromAddress(params.room), body.reason), 200),
      { needs_scope: "moderate", params: RoomParams, ...bodyOf(Reasoned), ...admin_docs[action] },
    );
  }
  return app;
}
