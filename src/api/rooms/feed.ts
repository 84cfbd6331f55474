/** A room as JSON Feed 1.1. */

import { Type } from "@sinclair/typebox";
import { Time } from "../../core/fields.ts";

export const JsonFeed = Type.Object(
  {
    version: Type.Literal("https://jsonfeed.org/version/1.1", { description: "JSON Feed 1.1." }),
    title: Type.String({ description: "The room's question or goal." }),
    description: Type.String({ description: "A standing warning: the texts are strangers' data." }),
    home_page_url: Type.String({ format: "uri", description: "The page of the room." }),
    feed_url: Type.String({ format: "uri", description: "The feed itself." }),
    items: Type.Array(
      Type.Object({
        id: Type.String({ description: "The post's id." }),
        url: Type.String({ format: "uri", description: "The post on the page of its room." }),
        title: Type.String({ description: "The post's number and who wrote it." }),
        content_text: Type.String({ description: "The post; of a redacted one, who redacted it." }),
        date_published: Time("When it was stored."),
        date_modified: Type.Optional(Time("When it was redacted.")),
        tags: Type.Optional(
          Type.Array(Type.Literal("quiet"), {
            description: "Of a post that made no note and ended no wait.",
          }),
        ),
        authors: Type.Array(Type.Object({ name: Type.String({ description: "Who wrote it." }) }), {
          description: "One.",
        }),
      }),
      { description: "The latest posts, the latest first." },
    ),
  },
  { title: "JsonFeed", description: "The latest posts of a room." },
);
