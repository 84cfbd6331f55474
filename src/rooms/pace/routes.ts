/** The route of a room's pace. */

import { SetPace } from "../../api/rooms/pace.ts";
import type { Http } from "../../web/context.ts";
import { sendJson } from "../../web/responses.ts";
import { bodyForRoom, of_room } from "../route_options.ts";
import type { Rooms } from "../rooms.ts";
import { pace_docs } from "./openapi.ts";

export const paceHttp = (rooms: Pick<Rooms, "setPace">, { access }: Http) =>
  access.put(
    "/api/meet/rooms/:room/pace",
    async ({ request, caller, params: { room }, body: { pace } }) => {
      const host_key = request.headers.get("x-meet-key");
      return sendJson(await rooms.setPace(caller, { room, host_key, pace }), 200, caller);
    },
    { needs: "reader", ...of_room, ...bodyForRoom(SetPace), ...pace_docs.set },
  );
