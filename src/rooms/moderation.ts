/** The operations of moderation: what admins do with posts and rooms. */

import { actionBy, type Admin } from "../core/admin.ts";
import type { OperationDeps } from "../core/commands.ts";
import { randomSlug, saltSource } from "../core/random.ts";
import { isId } from "../storage/packed.ts";
import type { RoomCommands } from "./feature.ts";
import type { ModeratedPost, ModeratedRoom } from "../api/rooms/admin.ts";
import { beginIdSearch, continueIdSearch, type IdSearch, type PostPlace } from "./places_store.ts";
import { room_internal_limits } from "./limits.ts";

export type Moderation = ReturnType<typeof createModeration>;

export function createModeration({ storage, clock, random }: OperationDeps<RoomCommands>) {
  const newSalt = saltSource(random);

  /** Where the post with this id is; null if there is none. Each step has a turn of the event loop of its own. */
  async function placeOf(id: string): Promise<PostPlace | null> {
    if (!isId(id)) return null;
    let step: PostPlace | IdSearch | null = await storage.read((tx) => beginIdSearch(tx, id));
    while (step !== null && !("n" in step)) {
      const from: IdSearch = step;
      step = await storage.read((tx) => continueIdSearch(tx, id, from));
      await clock.turn();
    }
    return step;
  }

  return {
    /** Does this with the post of that id. Throws `post_not_found`, and for `restore` `post_not_hidden`. */
    async post(
      admin: Admin,
      action: "hide" | "restore" | "erase",
      given_id: string,
      reason: string,
    ): Promise<ModeratedPost> {
      const id = given_id.toLowerCase();
      const input = { id, place: await placeOf(id), salt: newSalt(), ...actionBy(admin, reason, clock) };
      return (await storage.write(`rooms.${action}_post`, input)).result;
    },

    /** Throws `room_not_found` or `room_deleted`, as `reopen` does. */
    close: async (admin: Admin, room: string, reason: string): Promise<ModeratedRoom> =>
      (await storage.write("rooms.admin_close", { room, ...actionBy(admin, reason, clock) })).result,

    reopen: async (admin: Admin, room: string, reason: string): Promise<ModeratedRoom> =>
      (await storage.write("rooms.reopen", { room, ...actionBy(admin, reason, clock) })).result,

    /** Deletes a room. Erases its posts for some seconds at most; a chore erases the rest of a large room. Throws `room_not_found`. */
    async delete(admin: Admin, room: string, reason: string): Promise<ModeratedRoom> {
      const replacement = randomSlug(random, room_internal_limits.unlisted_slug_bits);
      const { result } = await storage.write("rooms.delete", {
        room,
        replacement,
        ...actionBy(admin, reason, clock),
      });
      const end_ms = clock.monotonic() + room_internal_limits.erasing_ms_max;
      // The chore does the rest, but none runs after a command on a stopped service.
      while (clock.monotonic() < end_ms && (await storage.write("rooms.empty_deleted", null)).result.more);
      return result;
    },
  };
}
