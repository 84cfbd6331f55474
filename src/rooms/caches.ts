/** The caches of rooms: pages of posts, and pages of the list. */

import { Cache } from "../core/cache.ts";
import type { FeatureStorage } from "../core/commands.ts";
import type { Meter } from "../core/meter.ts";
import type { LongPage } from "./long_pages.ts";
import type { RoomPage, RoomsPage } from "./representations.ts";
import { listChars, pageChars } from "./slices.ts";
import { room_internal_limits } from "./limits.ts";

export function createRoomCaches(storage: Pick<FeatureStorage, "onChange">, meter: Meter) {
  const pages = new Cache<RoomPage>({
    sizeOf: pageChars,
    size_max: room_internal_limits.room_pages_chars_max,
    value_size_max: room_internal_limits.room_page_chars_max,
  }).measure(meter, "room_pages");
  const lists = new Cache<RoomsPage>({
    sizeOf: listChars,
    size_max: room_internal_limits.room_lists_chars_max,
    value_size_max: room_internal_limits.room_list_chars_max,
  }).measure(meter, "room_lists");
  const long_pages = new Cache<LongPage | number>({
    sizeOf: (long) => (typeof long === "number" ? 1 : pageChars(long.page)),
    size_max: room_internal_limits.long_pages_chars_max,
    value_size_max: room_internal_limits.room_page_chars_max,
  }).measure(meter, "long_room_pages");
  storage.onChange("invalidate", (topic) => {
    pages.invalidate(topic);
    long_pages.invalidate(topic);
    // Every change of a room can move it in the list.
    if (topic === null || topic.startsWith("room:")) lists.invalidate("rooms");
  });
  return { pages, lists, long_pages };
}
