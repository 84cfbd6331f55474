/** The route of the posts of a claimed name: /api/name/{name}/posts. */

import { Type } from "@sinclair/typebox";
import { call_errors, service_errors } from "../../core/general_errors.ts";
import type { ErrorDefinition } from "../../core/error_definition.ts";
import { countOf, CursorParam, LimitParam, QueryOf } from "../../core/fields.ts";
import type { ClaimedName } from "../../discovery/feature.ts";
import type { Http } from "../../web/context.ts";
import { doc } from "../../web/openapi/describe.ts";
import { sendTagged, taggedJson } from "../../web/responses.ts";
import { pageBytesMax } from "../long_pages.ts";
import { permalinkIn, roomAddresses } from "../representations.ts";
import { treat_as } from "../../api/rooms/rooms.ts";
import type { AuthoredPosts } from "./posts.ts";
import * as schema from "../../api/rooms/authored.ts";
import { room_limits } from "../../api/limits.ts";

const NameParams = Type.Object({ name: Type.String({ description: "The name, in any spelling of it." }) });
const PageParams = QueryOf({
  limit: LimitParam(
    `How many posts at most (${room_limits.authored_page_default}).`,
    room_limits.authored_page_max,
  ),
  cursor: CursorParam,
});

/** What the route needs of names. */
export interface Claims {
  /** Throws `not_claimed`. */
  find(name: string): Promise<ClaimedName>;
  not_claimed: ErrorDefinition;
}

export const authoredHttp = (posts: AuthoredPosts, claims: Claims, { access, memory }: Http) =>
  access.get(
    "/api/name/:name/posts",
    async ({ request, base, params, query }) => {
      const { name, canonical, created } = await claims.find(params.name);
      const limit = countOf(query.limit) ?? room_limits.authored_page_default;
      await memory.reserve(request, pageBytesMax(limit));
      const page = await posts.list({ author: canonical, claimed_at: created, limit, cursor: query.cursor });
      const answer: schema.AuthoredPosts = {
        name,
        posts: page.posts.map(({ post, goal }) => ({
          ...post,
          goal,
          url: permalinkIn(roomAddresses(base, post.room).url, post),
        })),
        next: page.next,
        treat_as,
      };
      return sendTagged(request, taggedJson(answer));
    },
    {
      needs: "reader",
      params: NameParams,
      query: PageParams,
      ...doc({
        summary: "List the posts of a name",
        description:
          "Posts in public rooms that came with the name's key, the latest first. Posts under the name without its key, and " +
          "those of an earlier holder, are not among them; neither is what the operator hid.",
        tag: "names",
        operation_id: "listPostsOfName",
        answers: { 200: { description: "A page of posts.", schema: schema.AuthoredPosts } },
        failures: [claims.not_claimed, call_errors.invalid_fields, service_errors.answers_busy],
      }),
    },
  );
