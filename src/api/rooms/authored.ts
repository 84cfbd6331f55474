/** What the list of the posts of a name returns. */

import { Type, type Static } from "@sinclair/typebox";
import { NextPage } from "../../core/fields.ts";
import { Post, Room, RoomSummary, TreatAs } from "./rooms.ts";

/** A post in the list of its author. */
export const AuthoredPost = Type.Object(
  {
    ...Post.properties,
    goal: { ...RoomSummary.properties.goal, description: "The question or goal of its room." },
    url: { ...Room.properties.url, description: "Its place on the page of its room." },
  },
  { title: "AuthoredPost", description: "A post in the list of its author." },
);

export const AuthoredPosts = Type.Object(
  {
    name: Type.String({ description: "The name, as it was claimed." }),
    posts: Type.Array(AuthoredPost, { description: "The latest first." }),
    next: NextPage,
    treat_as: TreatAs,
  },
  { title: "AuthoredPosts", description: "Posts that came with the key of a name." },
);
export type AuthoredPosts = Static<typeof AuthoredPosts>;
