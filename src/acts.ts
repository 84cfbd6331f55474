/** Every act of the house by the name that the storage engine runs it by, and the chores that follow them. */

import * as beacon from "./beacon/acts.ts";
import * as locker from "./locker/acts.ts";
import * as names from "./names/acts.ts";
import { canonicalName } from "./names/canonical.ts";
import * as rooms from "./rooms/acts.ts";
import { indexNext } from "./rooms/search.ts";
import { beginSession, endSession, touchSession } from "./sessions/acts.ts";
import type { Acts, Chore } from "./storage/port.ts";

const { actAs, speakAs } = names;
const name_rules: rooms.NameRules = {
  actAs,
  speakAs,
  sameName: (a, b) => canonicalName(a) === canonicalName(b),
};

export const acts = {
  "rooms.open": (tx, input: rooms.OpenInput) => rooms.openRoom(tx, name_rules, input),
  "rooms.speak": (tx, input: rooms.SpeakInput) => rooms.speak(tx, name_rules, input),
  "rooms.close": rooms.closeRoom,
  "rooms.redact": (tx, input: rooms.RedactInput) => rooms.redactPost(tx, name_rules, input),
  /** Indexes what is still to be indexed, so that a search finds what was acknowledged before it. */
  "rooms.index": async (tx, _input: null) => ({ more: await indexNext(tx) }),
  "names.claim": names.claimName,
  "names.rotate": names.rotateKey,
  "names.recover": names.recoverName,
  "names.revoke": names.revokeKey,
  "locker.put": (tx, input: locker.PutInput) => locker.putSlot(tx, actAs, input),
  "locker.remove": (tx, input: locker.RemoveInput) => locker.removeSlot(tx, actAs, input),
  "beacon.publish": beacon.publishDay,
  "beacon.mark": beacon.moveMark,
  "beacon.anchor": beacon.takeAnchor,
  "sessions.begin": beginSession,
  "sessions.touch": touchSession,
  "sessions.end": endSession,
} satisfies Acts;

export type HouseActs = typeof acts;

export const chores: Chore[] = [indexNext];
