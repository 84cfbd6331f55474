/** OpenAPI annotation of the route of a room's pace. */

import { RoomPace } from "../../api/rooms/pace.ts";
import { body_failures, doc } from "../../web/openapi/describe.ts";
import { room_errors } from "../errors.ts";
import { no_room } from "../openapi.ts";

export const pace_docs = {
  set: doc({
    summary: "Set the pace of a room",
    description:
      "By the room's host_key, or the claimed name that is its host. Also the same pace again: nobody is slowed down then, and only " +
      "later posts count.",
    tag: "rooms",
    operation_id: "setPace",
    answers: { 200: { description: "The pace of the room.", schema: RoomPace } },
    headers: [{ name: "x-meet-key", description: "The room's host_key.", required: false }],
    failures: [
      ...body_failures,
      ...no_room,
      room_errors.room_closed,
      room_errors.host_key_required,
      room_errors.wrong_host_key,
    ],
  }),
};
