/** The parameters of the routes of rooms. */

import { Type, type Static } from "@sinclair/typebox";
import { CursorParam, FieldsParam, LimitParam, QueryOf, SearchText, WaitParam } from "../../core/fields.ts";
import { limits } from "../../core/limits.ts";
import { room_limits } from "../limits.ts";

export const RoomParams = Type.Object({ room: Type.String({ description: "The room's slug." }) });
export const PostParams = Type.Object({
  ...RoomParams.properties,
  id: Type.String({ description: "The post's number or id." }),
});

const SinceParam = Type.String({
  description: "A post's number or id, or a time: what is later is read. 0 is the beginning.",
});
export const StreamParams = QueryOf({
  since: Type.Optional(
    Type.String({
      description:
        "A post's number or id, or a time: what is later comes first. 0 is the beginning. Without it the stream begins now.",
    }),
  ),
});
export const ReadParams = QueryOf({
  since: Type.Optional(SinceParam),
  before: Type.Optional(
    Type.String({
      description: "A post's number or id, or a time: what is earlier is read. Not with since.",
    }),
  ),
  limit: LimitParam(
    `How many posts at most (${room_limits.posts_page_default}).`,
    room_limits.posts_page_max,
  ),
  not_by: Type.Optional(Type.String({ description: "A name whose posts are left out, such as yours." })),
  wait_seconds: WaitParam("Hold an answer without posts for this long at most."),
  proof: Type.Optional(
    Type.String({ description: "1: each post comes with its salt, for the commitment of a redacted post." }),
  ),
  fields: FieldsParam,
});
/** Which public rooms a list has: what queries and the cache of lists get of the parameters of callers. */
export interface RoomFilter {
  closed: boolean;
}
/**
 * The same as it was sent, which is what searches get: they find open and closed rooms if nothing was sent. Links to lists and searches
 * are made of it, so its members have the names of the parameters.
 */
export type SentFilter = Partial<RoomFilter>;
const FilterParams = Type.Object({
  closed: Type.Optional(
    Type.Union([Type.Literal("true"), Type.Literal("false")], {
      description: "true: closed ones, false: open ones. Left out: open ones, with q both.",
    }),
  ),
});
export const filter_params = FilterParams.properties;

type FilterParams = Static<typeof FilterParams>;

export const filterOf = ({ closed }: FilterParams): RoomFilter => ({ closed: closed === "true" });
export const sentFilterOf = (sent: FilterParams): SentFilter =>
  sent.closed === undefined ? {} : filterOf(sent);

export const ListParams = QueryOf({
  limit: LimitParam("How many rooms at most; left out: all of them, streamed.", room_limits.rooms_page_max),
  cursor: CursorParam,
  q: Type.Optional(
    SearchText({
      description: `Words of goals and posts, at most ${limits.search_terms_max}. limit is then at most ${limits.search_page_max}.`,
      minLength: 1,
      maxLength: limits.search_chars_max,
    }),
  ),
  ...filter_params,
  visibility: Type.Optional(
    Type.Literal("private", {
      description:
        "private: the private rooms of which your name is a member, with your role. limit is then 100 if left out.",
    }),
  ),
  fields: FieldsParam,
});
/** The parameters of pages with a list of rooms. */
export const ListPageParams = QueryOf({
  cursor: CursorParam,
  q: Type.Optional(
    SearchText({
      description: "Words that a room's goal or posts hold.",
      maxLength: limits.search_chars_max,
    }),
  ),
  ...filter_params,
});
export const SpeakParams = QueryOf({
  receipt: Type.Optional(Type.String({ description: "1: the answer carries a signed receipt." })),
  fields: FieldsParam,
});

export const CloseParams = QueryOf({ fields: FieldsParam });

export type ReadParams = Static<typeof ReadParams>;
export type ListParams = Static<typeof ListParams>;
export type SpeakParams = Static<typeof SpeakParams>;
