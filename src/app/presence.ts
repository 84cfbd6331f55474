/** Creates the lists of waiting callers: in each room, for each mailbox, and of claimed names anywhere. Nodes of one database share them. */

import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { Presence } from "../core/presence.ts";
import { SharedPresence } from "../core/shared_presence.ts";
import { mailboxTopic } from "../mailbox/commands.ts";
import { roomTopic } from "../rooms/slug.ts";
import type { AppStorage } from "./storage.ts";

const places = [roomTopic(""), mailboxTopic("")];

interface AppPresence {
  presence: Presence;
  start(): void;
  /** Call it before the storage closes. */
  close(): void;
}

export function createPresence(storage: AppStorage, clock: Clock, node_clock: Clock, log: Log): AppPresence {
  const presence = new Presence(clock, (topic) => places.some((place) => topic.startsWith(place)));
  if (!storage.messages) return { presence, start() {}, close() {} };
  const shared = new SharedPresence(presence, storage.messages, node_clock, log);
  storage.onChange("notify", (topic) => {
    if (topic === null) shared.ask();
  });
  return { presence, start: () => shared.ask(), close: () => shared.close() };
}
