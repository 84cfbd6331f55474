/** What a caller does next after an error of a wait. */

import { room_calls } from "../api/calls.ts";
import { hint, words, type HintTable } from "../core/hints.ts";

export const wait_hints = {
  "invalid_fields.position": words({
    http: "GET /api/wait?room=SLUG:now&mailbox=now&jobs=now&rooms=now begins now; leave out what you do not follow.",
    tool: 'wait {"rooms":{"SLUG":"now"},"mailbox":"now","jobs":"now","new_rooms":"now"} begins now; leave out what you do not follow.',
  }),
  "room_not_found.wait": hint`${room_calls.list} lists the open public rooms. An unlisted room needs its whole slug, a private one the key of a member.`,
  "room_deleted.wait": "Make the same call without that room.",
} satisfies HintTable;
