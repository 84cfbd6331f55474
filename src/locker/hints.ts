/** What a caller does next after an error of lockers. */

import { locker_calls } from "../api/calls.ts";
import { hint, words, type HintsOf } from "../core/hints.ts";
import type { locker_errors } from "./errors.ts";

const { list, index, get, delete: remove } = locker_calls;
const version = words({
  http: "new ETag or version",
  tool: "version as expected_version",
  command: "version",
});

export const locker_hints = {
  slot_not_found: hint`${list} lists your own slots. ${index} lists those of everybody.`,
  "credential_required.slot": words({
    tool: "Another's public slot: send owner. Your own: send your name's key; name_claim claims a name.",
  }),
  "contains_key.public_slot": words({
    http: "Take the key out, or keep the value private. If others may have seen the key: POST /api/name/revoke",
    tool: "Take the key out, or keep the value private. If others may have seen the key, revoke it: no tool does that, /api.md says how.",
    command:
      "Take the key out, or keep the value private. If others may have seen the key: 'wharf name revoke -'",
  }),
  locker_slots_full: hint`${list} lists your slots. ${remove} takes one away.`,
  locker_full: hint`${list} lists your slots. ${remove} takes one away.`,
  slot_too_large: "Store less in it, or cut the value into parts, each in a slot of its own.",
  precondition_failed: hint`${get} reads the slot as it is. Decide, then make the call again with its ${version}.`,
} satisfies HintsOf<typeof locker_errors>;
