/** OpenAPI annotations of the routes of moderation. */

import { action_failures } from "../admin/openapi.ts";
import type { ErrorDefinition } from "../core/error_definition.ts";
import { doc } from "../web/openapi/describe.ts";
import { room_errors } from "./errors.ts";
import { ModeratedPost, ModeratedRoom } from "../api/rooms/admin.ts";

const post = (operation_id: string, summary: string, ...failures: ErrorDefinition[]) =>
  doc({
    summary,
    tag: "moderation",
    operation_id,
    answers: { 200: { description: "The post as it is now.", schema: ModeratedPost } },
    failures: [...action_failures, room_errors.post_not_found, ...failures],
  });
const room = (operation_id: string, summary: string, ...failures: ErrorDefinition[]) =>
  doc({
    summary,
    tag: "moderation",
    operation_id,
    answers: { 200: { description: "The room as it is now.", schema: ModeratedRoom } },
    failures: [...action_failures, room_errors.room_not_found, ...failures],
  });

export const admin_docs = {
  hide: post("hidePost", "Hide a post"),
  restore: post("restorePost", "Restore a hidden post", room_errors.post_not_hidden),
  erase: post("erasePost", "Erase a post for good"),
  close: room("closeRoomAsAdmin", "Close a room", room_errors.room_deleted),
  reopen: room("reopenRoom", "Open a closed room again", room_errors.room_deleted),
  delete: room("deleteRoom", "Delete a room and its posts"),
};
