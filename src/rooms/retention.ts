/** Removes old rooms and old posts by the rules of the instance, in small steps. */

import { isoTime } from "../core/clock.ts";
import type { OperationDeps } from "../core/commands.ts";
import { randomSlug } from "../core/random.ts";
import { rule_texts, type Retention } from "../core/retention.ts";
import type { Steps, Sweep } from "../core/sweep.ts";
import type { Tx } from "../core/storage.ts";
import type { RoomCommands } from "./feature.ts";
import * as store from "./retention_store.ts";
import { room_internal_limits } from "./limits.ts";

/** A due removal: of a whole room, or of its posts up to a number. */
type Due = { room: store.OldRoom; posts: number; because: string } & (
  { kind: "closed_rooms" | "idle_rooms" } | { kind: "posts"; through: number }
);

const { posts_by_room, keep_posts_seconds, keep_closed_rooms_seconds, keep_idle_rooms_seconds } = rule_texts;

/** What the rules say of a room at `now_ms`; null if nothing is to be done. */
async function dueOf(tx: Tx, room: store.OldRoom, rules: Retention, now_ms: number): Promise<Due | null> {
  const limitOf = (seconds: number) => isoTime(Math.max(now_ms - seconds * 1000, 0));
  const posts = room.posts - room.removed_through;
  const closed_seconds = rules.keep_closed_rooms_seconds;
  if (closed_seconds > 0 && room.closed_at !== null && room.closed_at < limitOf(closed_seconds)) {
    return { kind: "closed_rooms", room, posts, because: keep_closed_rooms_seconds(closed_seconds) };
  }
  const idle_seconds = rules.keep_idle_rooms_seconds;
  if (idle_seconds > 0 && room.closed_at === null && room.last_active < limitOf(idle_seconds)) {
    return { kind: "idle_rooms", room, posts, because: keep_idle_rooms_seconds(idle_seconds) };
  }
  if (posts <= 0) return null;
  const by_count = rules.posts_by_room > 0 ? room.posts - rules.posts_by_room : 0;
  const by_age =
    rules.keep_posts_seconds > 0
      ? await store.lastNumberBefore(tx, room.seq, limitOf(rules.keep_posts_seconds))
      : 0;
  const through = Math.max(by_count, by_age);
  if (through <= room.removed_through) return null;
  const because =
    by_count > by_age ? posts_by_room(rules.posts_by_room) : keep_posts_seconds(rules.keep_posts_seconds);
  return { kind: "posts", room, posts: through - room.removed_through, through, because };
}

export function createRoomRetention({ storage, clock, random }: OperationDeps<RoomCommands>): Sweep {
  /** All rooms with something to be done, in slices. */
  async function* due(rules: Retention): AsyncGenerator<Due> {
    const now_ms = clock.now();
    let after = 0;
    for (;;) {
      const slice = await storage.read(async (tx) => {
        const rooms = await store.roomsAfter(tx, after, room_internal_limits.rooms_per_retention_slice);
        const found: (Due | null)[] = [];
        for (const room of rooms) found.push(await dueOf(tx, room, rules, now_ms));
        return { rooms, found };
      });
      yield* slice.found.filter((one) => one !== null);
      if (slice.rooms.length < room_internal_limits.rooms_per_retention_slice) return;
      after = slice.rooms.at(-1)!.seq;
      await clock.turn();
    }
  }

  /** Removes the posts of a room that are due, or the room. Returns how many rooms and posts were removed. */
  async function remove(one: Due, steps: Steps): Promise<{ rooms: number; posts: number }> {
    const { room, because } = one;
    if (one.kind === "posts") {
      const input = { room: room.seq, through: one.through, because, now_ms: clock.now() };
      let posts = 0;
      await steps.until(async () => {
        const { result } = await storage.write("rooms.remove_posts", input);
        posts += result.removed;
        return result.more;
      });
      return { rooms: 0, posts };
    }
    const { result } = await storage.write("rooms.delete", {
      room: room.slug,
      replacement: randomSlug(random, room_internal_limits.unlisted_slug_bits),
      rule: { because, changed: room.changed },
      actor: "retention",
      reason: because,
      now_ms: clock.now(),
    });
    if (!result.changed) return { rooms: 0, posts: 0 };
    await steps.until(async () => (await storage.write("rooms.empty_deleted", null)).result.more);
    return { rooms: 1, posts: one.posts };
  }

  return {
    async count(rules) {
      const counts = { closed_rooms: 0, idle_rooms: 0, posts: 0 };
      for await (const { kind, posts } of due(rules)) {
        if (kind !== "posts") counts[kind]++;
        counts.posts += posts;
      }
      return counts;
    },

    async remove(rules, steps) {
      const counts = { closed_rooms: 0, idle_rooms: 0, posts: 0 };
      for await (const one of due(rules)) {
        if (steps.is_over) break;
        const removed = await remove(one, steps);
        if (one.kind !== "posts") counts[one.kind] += removed.rooms;
        counts.posts += removed.posts;
      }
      if (!steps.is_over) await storage.write("rooms.finish_removal", null);
      return counts;
    },
  };
}
