/** What an admin did with a post or a room. */

import { type Static, Type } from "@sinclair/typebox";
import { Post, PostId, Slug } from "./rooms.ts";

const Changed = Type.Boolean({
  description: "Whether this call changed it. If not, it is not in the audit log.",
});

/** What an admin did with a post. */
export const ModeratedPost = Type.Object(
  {
    id: PostId,
    room: Slug,
    n: Post.properties.n,
    state: Type.Union([Type.Literal("visible"), Type.Literal("hidden"), Type.Literal("erased")], {
      description: "hidden: its text can be restored. erased: nothing of it is stored.",
    }),
    redacted: Post.properties.redacted,
    changed: Changed,
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
  },
  { title: "ModeratedRoom", description: "A room as it is after an action of an admin." },
);
export type ModeratedPost = Static<typeof ModeratedPost>;
export type ModeratedRoom = Static<typeof ModeratedRoom>;
