/** The routes of moderation: /api/admin/posts and /api/admin/rooms. */

import { Type } from "@sinclair/typebox";
import { adminCall, adminRoutes } from "../admin/admin_call.ts";
import { Reasoned } from "../api/admin.ts";
import { ModeratedPost, ModeratedRoom } from "../api/rooms/admin.ts";
import { RoomParams } from "../api/rooms/params.ts";
import type { ErrorDefinition } from "../core/error_definition.ts";
import type { Http } from "../web/context.ts";
import { room_errors } from "./errors.ts";
import type { Moderation } from "./moderation.ts";
import { slugFromAddress } from "./slug.ts";

const PostParams = Type.Object({ id: Type.String({ description: "The post's id." }) });

export function moderationHttp(moderation: Moderation, http: Http) {
  const post = (
    action: "hide" | "restore" | "erase",
    operation_id: string,
    summary: string,
    ...failures: ErrorDefinition[]
  ) =>
    adminCall({
      at: `POST /api/admin/posts/:id/${action}`,
      scope: "moderate",
      params: PostParams,
      body: Reasoned,
      summary,
      operation_id,
      answers: { 200: { description: "The post as it is now.", schema: ModeratedPost } },
      failures: [room_errors.post_not_found, ...failures],
      run: ({ admin, params, body }) => moderation.post(admin, action, params.id, body.reason),
    });
  const room = (
    action: "close" | "reopen" | "delete",
    operation_id: string,
    summary: string,
    ...failures: ErrorDefinition[]
  ) =>
    adminCall({
      at: `POST /api/admin/rooms/:room/${action}`,
      scope: "moderate",
      params: RoomParams,
      body: Reasoned,
      summary,
      operation_id,
      answers: { 200: { description: "The room as it is now.", schema: ModeratedRoom } },
      failures: [room_errors.room_not_found, ...failures],
      run: ({ admin, params, body }) => moderation[action](admin, slugFromAddress(params.room), body.reason),
    });
  return adminRoutes(http, [
    post("hide", "hidePost", "Hide a post"),
    post("restore", "restorePost", "Restore a hidden post", room_errors.post_not_hidden),
    post("erase", "erasePost", "Erase a post for good"),
    room("close", "closeRoomAsAdmin", "Close a room", room_errors.room_deleted),
    room("reopen", "reopenRoom", "Open a closed room again", room_errors.room_deleted),
    room("delete", "deleteRoom", "Delete a room and its posts"),
  ]);
}
