/** The routes of the members of a room. */

import { Type } from "@sinclair/typebox";
import { PutMember } from "../../api/rooms/members.ts";
import { RoomParams } from "../../api/rooms/params.ts";
import type { Http } from "../../web/context.ts";
import { sendJson } from "../../web/responses.ts";
import { bodyForRoom, of_room } from "../route_options.ts";
import type { RoomMembers } from "./members.ts";
import { member_docs } from "./openapi.ts";

const MemberParams = Type.Composite([
  RoomParams,
  Type.Object({ name: Type.String({ description: "The member's name." }) }),
]);

export const membersHttp = (members: RoomMembers, { access, idempotency }: Http) =>
  access
    .get(
      "/api/meet/rooms/:room/members",
      async ({ caller, params: { room } }) => sendJson(await members.list(caller, room), 200, caller),
      { needs: "named", ...of_room, ...member_docs.list },
    )
    .post(
      "/api/meet/rooms/:room/members",
      async ({ request, caller, params: { room }, body }) => {
        const host_key = request.headers.get("x-meet-key");
        const sent = [host_key, caller.identity?.canonical, body];
        const put = await idempotency.run(request, caller, sent, (call) =>
          members.put(caller, { ...body, room, host_key }, call),
        );
        return sendJson(put, put.added ? 201 : 200, caller);
      },
      { needs: "reader", ...of_room, ...bodyForRoom(PutMember), ...member_docs.put },
    )
    .delete(
      "/api/meet/rooms/:room/members/:name",
      async ({ request, caller, params: { room, name } }) => {
        const host_key = request.headers.get("x-meet-key");
        return sendJson(await members.remove(caller, { room, name, host_key }), 200, caller);
      },
      { needs: "reader", ...of_room, params: MemberParams, parse: "none", ...member_docs.remove },
    );
