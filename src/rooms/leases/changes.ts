/** A change of leases is a change of their room: pages, streams and waits see it. */

import { nextTime } from "../../core/clock.ts";
import { Overtaken, type Tx } from "../../core/storage.ts";
import { markChanged, type RoomRow } from "../store.ts";
import { setChanged } from "./store.ts";
import { leasesTopic } from "./topic.ts";

/** Moves the time of a room on after a change of its leases. Throws `Overtaken` if another change of the room came first. */
export async function changeRoom(tx: Tx, room: RoomRow, now_ms: number): Promise<void> {
  const at = nextTime(now_ms, room.changed);
  if (!(await markChanged(tx, room, at))) throw new Overtaken();
  await setChanged(tx, room.seq, at);
  tx.announce(`room:${room.slug}`);
  tx.announce(leasesTopic(room.slug));
}
