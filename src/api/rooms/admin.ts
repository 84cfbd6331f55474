/** What an admin did with a post or a room. */

import { type Static, Type } from "@sinclair/typebox";
import { Nullable } from "../../core/fields.ts";
import { Post, PostId, Room, Slug } from "./rooms.ts";
import { Visibility } from "./visibility.ts";

const Changed = Type.Boolean({
  description: "Whether this call changed it. If not, it is not in the audit log.",
});

const PostState = Type.Union([Type.Literal("visible"), Type.Literal("hidden"), Type.Literal("erased")], {
  description: "hidden: its text can be restored. erased: nothing of it is stored.",
});

/** What an admin did with a post. */
export const ModeratedPost = Type.Object(
  {
    id: PostId,
    room: Slug,
    n: Post.properties.n,
    state: PostState,
    redacted: Post.properties.redacted,
    changed: Changed,
    found: Type.Object(
      {
        name: Post.properties.name,
        claimed: Post.properties.claimed,
        ts: Post.properties.ts,
        state: PostState,
      },
      { description: "The post as the action found it." },
    ),
  },
  { title: "ModeratedPost", description: "A post as it is after an action of an admin." },
);
/** What an admin did with a room. */
export const ModeratedRoom = Type.Object(
  {
    room: Slug,
    state: Type.Union([Type.Literal("open"), Type.Literal("closed"), Type.Literal("deleted")], {
      description: "deleted: nobody can read it.",
    }),
    changed: Changed,
    found: Nullable(
      Type.Object(
        {
          goal: Room.properties.goal,
          visibility: Visibility,
          host: Room.properties.host,
          created: Room.properties.created,
          posts: Room.properties.posts,
          state: Type.Union([Type.Literal("open"), Type.Literal("closed")], {
            description: "Whether it was open.",
          }),
        },
        { description: "The room as the action found it; null if it was deleted before." },
      ),
    ),
  },
  { title: "ModeratedRoom", description: "A room as it is after an action of an admin." },
);
export type ModeratedPost = Static<typeof ModeratedPost>;
export type ModeratedRoom = Static<typeof ModeratedRoom>;
