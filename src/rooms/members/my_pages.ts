/** The page with the private rooms of the name that is signed in, and what its own page shows of them. */

import { myRoomsPage } from "../../../views/my_rooms.tsx";
import { counted } from "../../../views/text.ts";
import type { Activity } from "../../api/pages.ts";
import { ListPageParams, sentFilterOf } from "../../api/rooms/params.ts";
import type { Caller } from "../../core/caller.ts";
import { caller_errors } from "../../core/caller_errors.ts";
import { partsFor } from "../../core/text.ts";
import type { Http } from "../../web/context.ts";
import { pageDoc } from "../../web/openapi/describe.ts";
import { sendPage } from "../../web/page_headers.ts";
import { room_internal_limits } from "../limits.ts";
import { roomAddresses, summaryAt } from "../representations.ts";
import type { Rooms } from "../rooms.ts";

const rooms_per_page = 50;
const rooms_on_own_page = 5;

export function ownRoomPages(rooms: Rooms, { access, siteOf, memory }: Http) {
  access.get(
    "/me/rooms",
    async ({ request, caller, base, query: sent }) => {
      const q = sent.q?.trim() ? sent.q : "";
      const filter = sentFilterOf(sent);
      const query = { filter, limit: rooms_per_page, cursor: sent.cursor };
      const { found_room_with_posts_bytes_max, listed_room_bytes_max } = room_internal_limits;
      await memory.reserve(
        request,
        rooms_per_page * (q ? found_room_with_posts_bytes_max : listed_room_bytes_max),
      );
      const page = await (q
        ? rooms.searchOwn(caller, { ...query, q, posts: room_internal_limits.found_posts_per_room })
        : rooms.listOwn(caller, query));
      const list = {
        ...page,
        rooms: page.rooms.map((room) => ({ ...summaryAt(base, room), matches: room.matches ?? [] })),
        ...(q && { partsOf: partsFor(q) }),
      };
      return sendPage(await myRoomsPage(await siteOf({ caller, base }), { list, q, ...filter }));
    },
    {
      needs: "named",
      query: ListPageParams,
      ...pageDoc({
        summary: "The private rooms of the name that is signed in",
        operation_id: "readMyRoomsPage",
        media: ["text/html"],
        failures: [caller_errors.credential_required],
      }),
    },
  );
}

/** The private rooms of the caller that were active last, for its own page. */
export async function ownPrivateRooms(rooms: Pick<Rooms, "listOwn">, caller: Caller): Promise<Activity> {
  const page = await rooms.listOwn(caller, { filter: {}, limit: rooms_on_own_page });
  return {
    title: "Your private rooms",
    id: "private-rooms",
    items: page.rooms.map((room) => ({
      title: room.goal,
      path: roomAddresses("", room.slug).url,
      at: room.last_post ?? room.created,
      is_private: true,
      about: [
        `your role: ${room.role}`,
        counted(room.posts, "post"),
        ...(room.closed_at === null ? [] : ["closed"]),
      ],
    })),
    empty: "You are a member of none.",
    more: page.next === null ? null : { path: "/me/rooms" },
  };
}
