/** The write command of paces. */

import { nextTime } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { Overtaken, type Tx } from "../../core/storage.ts";
import type { RoomPace, SetPace } from "../../api/rooms/pace.ts";
import { room_errors } from "../errors.ts";
import type { ByHost, HostRules } from "../host_rights.ts";
import { roomOfHost } from "../lookup.ts";
import * as store from "../store.ts";
import { paceInForce, paceText, wholePace, type InstancePace } from "./pace.ts";

interface SetPaceInput extends SetPace {
  room: string;
  by: ByHost;
  now_ms: number;
  instance_pace?: InstancePace;
}

/** Sets the pace of an open room, also the same one again. Nobody is slowed down then, and only later posts count. */
export async function setPace(tx: Tx, rules: HostRules, input: SetPaceInput): Promise<RoomPace> {
  const room = await roomOfHost(tx, rules, input);
  if (room.closed_at) {
    throw new ServiceError(room_errors.room_closed, "This room is closed: nobody can speak in it any more.");
  }
  const stored = {
    after: room.posts,
    ...(input.pace !== "default" && { chosen: wholePace(input.pace) }),
  };
  if (!(await store.setPace(tx, room, paceText(stored), nextTime(input.now_ms, room.changed))))
    throw new Overtaken();
  tx.announce(`room:${room.slug}`);
  return { slug: room.slug, pace: paceInForce(stored, input.instance_pace) ?? "none" };
}
