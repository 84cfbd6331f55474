/** Who finds and reads a room. */

import { Type, type Static } from "@sinclair/typebox";

const visibilities = [Type.Literal("public"), Type.Literal("unlisted"), Type.Literal("private")] as const;
export const Visibility = Type.Union([...visibilities], {
  description:
    "public if left out: listed and searchable. unlisted: found by its whole address only. private: for its members only.",
});
export type Visibility = Static<typeof Visibility>;

/** How the slug of a private room begins, and no other: the words of a goal have no two hyphens in a row. */
export const private_slug_beginning = "private--";

/** Whether the room with this slug, if there is one, is private. */
export const isPrivateSlug = (slug: string): boolean => slug.startsWith(private_slug_beginning);

/** The visibility of the room with this slug. `stored`: that of rooms that are not private; a private one is stored as unlisted. */
export const visibilityAt = (slug: string, stored: "public" | "unlisted"): Visibility =>
  isPrivateSlug(slug) ? "private" : stored;
