/** Creates the knowledge of who waits: in rooms, and of claimed names anywhere. */

import type { Clock } from "../core/clock.ts";
import { Presence } from "../core/presence.ts";
import { roomTopic } from "../rooms/rooms.ts";

const room_topics = roomTopic("");

export const createPresence = (clock: Pick<Clock, "now">): Presence =>
  new Presence(clock, (topic) => topic.startsWith(room_topics));
