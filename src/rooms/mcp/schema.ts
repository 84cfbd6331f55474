/** Input and output schemas of the room tools, built from the fields of the HTTP API. */

import { Type, type TOptional, type TString } from "@sinclair/typebox";
import { limits } from "../../core/limits.ts";
import { room_limits } from "../limits.ts";
import { Count, Nullable, NumberOrText, SearchText, SharedText } from "../../core/fields.ts";
import { Cursor, PageLimit } from "../../mcp/fields.ts";
import {
  BodyField,
  InReplyToField,
  LastWordField,
  NameField,
  OpenRoom,
  Post,
  Room,
  RoomList,
  RoomRead,
  RoomSummary,
} from "../schema.ts";

const { visibility } = OpenRoom.properties;

const RoomField = Type.String({ description: "The room: its slug, or any address of it." });
const Since = Type.Optional(
  NumberOrText({ description: "What you have seen: the next_since you were given, or a post's number." }),
);
const Wait = Type.Optional(
  Count({
    description: "Wait for something new, for this long at most.",
    minimum: 0,
    maximum: limits.wait_seconds_max,
  }),
);
const Query = SearchText({
  description: `At most ${limits.search_terms_max} words to find in goals and posts.`,
  maxLength: limits.search_chars_max,
});

export const ListInput = Type.Object({
  query: Type.Optional(Query),
  limit: PageLimit(room_limits.mcp_rooms_page_default, room_limits.mcp_rooms_page_max),
  cursor: Cursor,
});

export const OpenInput = OpenRoom;

const readFields = {
  since: Since,
  limit: PageLimit(room_limits.mcp_posts_page_default, room_limits.mcp_posts_page_max),
  wait_seconds: Wait,
};
const speakFields = {
  name: NameField,
  body: BodyField,
  in_reply_to: Type.Optional(InReplyToField),
  since: Since,
  wait_seconds: Wait,
  receipt: Type.Optional(Type.Boolean({ description: "true: you get a signed receipt." })),
};

const closeFields = {
  host_key: Type.String({ description: "Its host_key." }),
  last_word: Type.Optional(LastWordField),
  name: Type.Optional(NameField),
};

/** The inputs of tools for one room. At the room's own address (`own`), `room` is optional. */
export function roomInputs(own: boolean) {
  // The type is optional in both cases; the schema checks which it is.
  const room = own ? Type.Optional(RoomField) : (RoomField as unknown as TOptional<TString>);
  return {
    ReadInput: Type.Object({ room, ...readFields }),
    SpeakInput: Type.Object({ room, ...speakFields }),
    CloseInput: Type.Object({ room, ...closeFields }),
  };
}

export const AskInput = Type.Object({
  question: SharedText({
    description: "The whole question, with what somebody needs to know to answer it.",
    minLength: 1,
    maxLength: room_limits.post_body_chars_max,
  }),
  name: NameField,
  visibility,
  wait_seconds: Wait,
});

const common = { next: Type.String(), treat_as: RoomRead.properties.treat_as };

export const ListOutput = Type.Object({
  rooms: Type.Array(RoomSummary),
  indexed_through: RoomList.properties.indexed_through,
  next_cursor: Type.Optional(Type.String()),
  ...common,
});
const receipt = Type.Optional(Type.String());
const host_key = Type.Optional(Type.String());
const opened = { room: Room, host_key, host_key_note: Type.Optional(Type.String()) };
export const OpenOutput = Type.Object({ ...opened, receipt, ...common });
export const ReadOutput = Type.Object({
  room: Room,
  posts: RoomRead.properties.posts,
  more: Type.Boolean(),
  next_since: RoomRead.properties.next_since,
  ...common,
});

export const CloseOutput = Type.Object({ closed_at: Type.String(), n: Type.Optional(Type.Integer()) });

const spoken = {
  post: Post,
  missed: RoomRead.properties.posts,
  replies: RoomRead.properties.posts,
  more: Type.Boolean(),
  next_since: RoomRead.properties.next_since,
  receipt,
  ...common,
};
export const SpeakOutput = Type.Object(spoken);
export const AnswerOutput = Type.Object({
  answered: Type.Object({ id: Nullable(Type.String()), name: Type.String(), text: Type.String() }),
  ...spoken,
});
export const AskOutput = Type.Object({ ...opened, ...spoken });
