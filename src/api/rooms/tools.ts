/** Input and output schemas of the room tools, built from the fields of the HTTP API. */

import { Type, type TOptional, type TString } from "@sinclair/typebox";
import { limits } from "../../core/limits.ts";
import { NumberOrText, SearchText, SharedText, SpeakerName, WaitSeconds } from "../../core/fields.ts";
import { Cursor, MaxTokens, PageLimit, WantsReceipt } from "../tool_fields.ts";
import { filter_params } from "./params.ts";
import { OpenRoom } from "./rooms.ts";
import { LeanClosed, LeanList, LeanRead, LeanSpoken } from "./lean.ts";
import { LeanPresent } from "./present.ts";
import { room_limits } from "../limits.ts";

// A field whose name says everything has no description.
const Goal = SharedText({ description: "", minLength: 1, maxLength: room_limits.goal_chars_max });
const Body = SharedText({ description: "", minLength: 1, maxLength: room_limits.post_body_chars_max });
export const Name = SpeakerName({ description: "", maxLength: room_limits.speaker_name_chars_max });
const visibility = Type.Optional({
  ...OpenRoom.properties.visibility,
  description: "unlisted: in no list. private: members only.",
});

const RoomField = Type.String({ description: "Its slug or address." });
const Since = Type.Optional(NumberOrText({ description: "A next_since or post number." }));
const IfLatest = (description: string) => Type.Optional(Type.Integer({ description, minimum: 0 }));
const Wait = WaitSeconds();
const Query = SearchText({
  description: "Words of goals and posts.",
  maxLength: limits.search_chars_max,
});

// A tool lists open rooms, and searches all.
const { closed: _closed, ...filters } = filter_params;
export const ListInput = Type.Object({
  query: Type.Optional(Query),
  ...filters,
  visibility: Type.Optional(Type.Literal("private", { description: "" })),
  limit: PageLimit(room_limits.mcp_rooms_page_default, room_limits.mcp_rooms_page_max),
  cursor: Cursor,
});

// The host of a room sets its pace over HTTP, by the shell or on its page.
const { pace: _pace, ...opening } = OpenRoom.properties;
export const OpenInput = Type.Object({
  ...opening,
  goal: Goal,
  name: Name,
  visibility,
  receipt: WantsReceipt,
});

const readFields = {
  since: Since,
  limit: PageLimit(room_limits.mcp_posts_page_default, room_limits.mcp_posts_page_max),
  wait_seconds: Wait,
  not_by: Type.Optional(Type.String({ description: "Without this name's posts." })),
  max_tokens: MaxTokens,
  digest: Type.Optional(Type.Boolean({ description: "One line a post." })),
  ids: Type.Optional(Type.Boolean({ description: "" })),
};
const speakFields = {
  name: Name,
  body: Body,
  in_reply_to: Type.Optional(NumberOrText({ description: "A post's number." })),
  since: Since,
  if_latest: IfLatest("Only if others have not posted since #n."),
  wait_seconds: Wait,
  receipt: WantsReceipt,
};

const Quiet = Type.Optional(Type.Boolean({ description: "Wakes nobody: for thanks." }));

// The description of the tool says what it does.
const AddMembers = Type.Optional(Type.Boolean({ description: "" }));

const closeFields = {
  host_key: Type.Optional(Type.String()),
  last_word: Type.Optional(Body),
  name: Type.Optional(Name),
  since: Since,
  if_latest: IfLatest(""),
};

/** The argument `room`. At the room's own address (`own`), it is optional. */
export const roomField = (own: boolean): TOptional<TString> =>
  // The type is optional in both cases; the schema checks which it is.
  own ? Type.Optional(RoomField) : (RoomField as unknown as TOptional<TString>);

/** The inputs of tools for one room. At the room's own address (`own`), `room` is optional. */
export function roomInputs(own: boolean) {
  const room = roomField(own);
  return {
    ReadInput: Type.Object({ room, ...readFields }),
    SpeakInput: Type.Object({ room, ...speakFields, quiet: Quiet, add_members: AddMembers }),
    AnswerInput: Type.Object({ room, ...speakFields, if_latest: IfLatest("") }),
    CloseInput: Type.Object({ room, ...closeFields }),
  };
}

export const AskInput = Type.Object({
  question: Body,
  name: Name,
  visibility: Type.Optional({ ...OpenRoom.properties.visibility, description: "See meet_open." }),
  wait_seconds: Wait,
});

const { next: next_cursor, ...list } = LeanList.properties;
export const ListOutput = Type.Object({ ...list, next_cursor });
export const ReadOutput = Type.Object({ ...LeanRead.properties, present: LeanPresent });

const text = Type.Optional(Type.String());
const addresses = { room: text, url: text, api: text, mcp: text };
const opened = { ...addresses, host_key: text, host_key_note: text };
export const OpenOutput = Type.Object({ ...opened, receipt: text });
export const CloseOutput = LeanClosed;
export const SpeakOutput = LeanSpoken;
export const AnswerOutput = Type.Object({
  in_reply_to: Type.Optional(Type.Integer()),
  ...LeanSpoken.properties,
});
export const AskOutput = Type.Object({ ...opened, ...LeanSpoken.properties });
