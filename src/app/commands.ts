/** Every act of the house by the name that the storage engine runs it by, and the chores that follow them. */

import * as beacon from "../beacon/commands.ts";
import type { Moment } from "../core/clock.ts";
import * as jobs from "../jobs/commands.ts";
import { settleLeases } from "../jobs/lease_expiry.ts";
import { indexNextJobs } from "../jobs/search.ts";
import * as locker from "../locker/commands.ts";
import * as mailbox from "../mailbox/commands.ts";
import * as names from "../names/commands.ts";
import type { ActAs } from "../names/authentication.ts";
import { canonicalName } from "../names/canonical.ts";
import { addKey } from "../receipts/commands.ts";
import * as rooms from "../rooms/commands.ts";
import { indexNext } from "../rooms/search.ts";
import { keepMark } from "../timekeeping/commands.ts";
import type { Mark } from "../timekeeping/discipline.ts";
import { beginSession, endSession, followResource, touchSession } from "../mcp/sessions/commands.ts";
import type { Acts, Chore } from "../core/storage.ts";
import { keepServerSecret } from "../storage/server_secret.ts";

const { checkKey, countAct, speakAs } = names;
const { putNote } = mailbox;
const act_as: ActAs = { checkKey, countAct };
const room_rules: rooms.RoomRules = {
  ...act_as,
  speakAs,
  canonicalName,
  isClaimed: names.isClaimed,
  putNote,
};
const job_rules: jobs.JobRules = { ...act_as, putNote };

export const acts = {
  "rooms.open": (tx, input: rooms.OpenInput) => rooms.openRoom(tx, room_rules, input),
  "rooms.speak": (tx, input: rooms.SpeakInput) => rooms.speak(tx, room_rules, input),
  "rooms.close": rooms.closeRoom,
  "rooms.redact": (tx, input: rooms.RedactInput) => rooms.redactPost(tx, room_rules, input),
  /** Indexes what is still to be indexed, so that a search finds what was acknowledged before it. */
  "rooms.index": async (tx, _input: null) => ({ more: await indexNext(tx) }),
  "names.claim": names.claimName,
  "names.rotate": (tx, input: names.RotateInput) => names.rotateKey(tx, putNote, input),
  "names.recover": (tx, input: names.RecoverInput) => names.recoverName(tx, putNote, input),
  "names.revoke": (tx, input: names.RevokeInput) => names.revokeKey(tx, putNote, input),
  "locker.put": (tx, input: locker.PutInput) => locker.putSlot(tx, act_as, input),
  "locker.prune": locker.pruneSlots,
  "locker.remove": (tx, input: locker.RemoveInput) => locker.removeSlot(tx, act_as, input),
  "beacon.publish": beacon.publishDay,
  "beacon.mark": beacon.moveMark,
  "beacon.anchor": beacon.takeAnchor,
  "jobs.post": (tx, input: jobs.PostInput) => jobs.postJob(tx, job_rules, input),
  "jobs.claim": (tx, input: jobs.ClaimInput) => jobs.claimJob(tx, job_rules, input),
  "jobs.extend": (tx, input: jobs.JobInput) => jobs.extendJob(tx, job_rules, input),
  "jobs.release": (tx, input: jobs.JobInput) => jobs.releaseJob(tx, job_rules, input),
  "jobs.deliver": (tx, input: jobs.DeliverInput) => jobs.deliverJob(tx, job_rules, input),
  "jobs.withdraw": (tx, input: jobs.JobInput) => jobs.withdrawJob(tx, job_rules, input),
  "jobs.review": (tx, input: jobs.ReviewInput) => jobs.reviewJob(tx, job_rules, input),
  "jobs.settle": (tx, input: Moment) => settleLeases(tx, putNote, input),
  "jobs.index": async (tx, _input: null) => ({ more: await indexNextJobs(tx) }),
  "mailbox.ack": (tx, input: mailbox.AckInput) => mailbox.acknowledge(tx, act_as, input),
  "mailbox.clear": (tx, input: mailbox.ClearInput) => mailbox.clear(tx, act_as, input),
  "clock.mark": (tx, input: Mark) => keepMark(tx, rooms.limitActivity, input),
  "receipts.add_key": addKey,
  "server.keep_secret": keepServerSecret,
  "sessions.begin": beginSession,
  "sessions.touch": touchSession,
  "sessions.follow": followResource,
  "sessions.end": endSession,
} satisfies Acts;

export type HouseActs = typeof acts;

export const chores: Chore[] = [indexNext, indexNextJobs];
