/** The posts that a claimed name made with its key in public rooms, and the public rooms that it opened. */

import { parseTime } from "../../core/clock.ts";
import type { FeatureStorage } from "../../core/commands.ts";
import { decodeCursor, encodeCursor } from "../../core/pagination.ts";
import type { RoomCommands } from "../feature.ts";
import { postFromRow, roomFromRow, type RoomRecord } from "../representations.ts";
import type { Post } from "../../api/rooms/rooms.ts";
import type { Visibility } from "../../api/rooms/visibility.ts";
import { withUnreadable, type AdmissionRules } from "../members/roles.ts";
import { authorIn } from "../posts_store.ts";
import { visibilityOf } from "../store.ts";
import { postsOfAuthor, roomsOfAuthor, type AuthoredRow, type AuthoredPosition } from "./store.ts";
import { room_internal_limits } from "../limits.ts";

interface AuthoredQuery {
  /** Canonical. */
  author: string;
  /** Of the rooms; public if absent. Those in unlisted and private rooms are for their author, as long as it may read them. */
  visibility?: Visibility;
  /** ISO time. An earlier holder of the name wrote the posts before it. */
  claimed_at: string;
  limit: number;
  cursor?: string | undefined;
}

export interface AuthoredPage {
  /** The latest first, each with the goal of its room. */
  posts: { post: Post; goal: string }[];
  next: string | null;
}

/** The position before all posts. */
const latest: AuthoredPosition = [null, 0];

const isPosition = (value: unknown): value is AuthoredPosition =>
  Array.isArray(value) &&
  value.length === 2 &&
  typeof value[0] === "string" &&
  parseTime(value[0]) === value[0] &&
  Number.isSafeInteger(value[1]);

/** Nothing of a post that the operator hid or erased is listed, nor of a deleted room, which is unlisted and has no goal. */
const isListedIn =
  (rooms: Visibility) =>
  (row: AuthoredRow): boolean =>
    visibilityOf(row) === rooms && row.goal !== "" && row.redacted !== "operator";

export type AuthoredPosts = ReturnType<typeof createAuthoredPosts>;

interface AuthoredPostsDeps extends AdmissionRules {
  storage: FeatureStorage<RoomCommands>;
}

export const createAuthoredPosts = ({ storage, claimedSince }: AuthoredPostsDeps) => ({
  /**
   * A page of these posts. It is shorter than `limit` if many posts are not listed. Throws `invalid_fields` for an invalid
   * cursor.
   */
  async list(query: AuthoredQuery): Promise<AuthoredPage> {
    const { author, visibility = "public", claimed_at, limit, cursor } = query;
    const by = authorIn(visibility, author);
    const isListed = isListedIn(visibility);
    const posts: AuthoredPage["posts"] = [];
    const count = limit + 1;
    let after = cursor === undefined ? latest : decodeCursor(cursor, isPosition);
    for (let slices = 0; slices < room_internal_limits.authored_slices_max; slices++) {
      const from = after;
      const { rows, unreadable } = await storage.read((tx) =>
        withUnreadable(tx, { claimedSince }, author, postsOfAuthor(tx, by, claimed_at, from, count)),
      );
      for (const row of rows) {
        if (posts.length === limit) return { posts, next: encodeCursor(after) };
        after = [row.ts, row.seq];
        if (isListed(row) && !unreadable.has(row.slug))
          posts.push({ post: postFromRow(row, row.slug), goal: row.goal });
      }
      if (rows.length < count) return { posts, next: null };
    }
    return { posts, next: encodeCursor(after) };
  },

  /** The newest rooms that a name opened with its key. */
  rooms: ({ author, claimed_at, limit }: AuthoredQuery): Promise<RoomRecord[]> =>
    storage.read(async (tx) => (await roomsOfAuthor(tx, author, claimed_at, latest, limit)).map(roomFromRow)),
});
