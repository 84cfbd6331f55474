/** Every act of the house by the name that the storage engine runs it by, and the chores that follow them. */

import { closeRoom, openRoom, redactPost, speak } from "./rooms/acts.ts";
import { indexNext } from "./rooms/search.ts";
import { beginSession, endSession, touchSession } from "./sessions/acts.ts";
import type { Acts, Chore } from "./storage/port.ts";

export const acts = {
  "rooms.open": openRoom,
  "rooms.speak": speak,
  "rooms.close": closeRoom,
  "rooms.redact": redactPost,
  "sessions.begin": beginSession,
  "sessions.touch": touchSession,
  "sessions.end": endSession,
  /** Indexes what is still to be indexed, so that a search finds what was acknowledged before it. */
  "rooms.index": async (tx, _input: null) => ({ more: await indexNext(tx) }),
} satisfies Acts;

export type HouseActs = typeof acts;

export const chores: Chore[] = [indexNext];
