/** The routes of leases: /api/meet/rooms/{room}/leases and below. */

import {
  BreakLeases,
  CheckLeases,
  ExtendLease,
  LeaseListParams,
  ReleaseLease,
  TakeLease,
} from "../../api/leases.ts";
import { countOf } from "../../core/fields.ts";
import type { OpenCall } from "../../core/open_calls.ts";
import { bodyForRoom, of_room } from "../route_options.ts";
import type { Http } from "../../web/context.ts";
import { waitSecondsOf } from "../../web/long_waits.ts";
import { sendJson } from "../../web/responses.ts";
import type { Leases } from "./leases.ts";
import { docs } from "./openapi.ts";

const at = "/api/meet/rooms/:room/leases";

export function leasesHttp(leases: Leases, http: Http) {
  const { access, idempotency } = http;
  return access
    .post(
      at,
      async ({ request, caller, params: { room }, body }) => {
        const { wait_seconds: given, ...wanted } = body;
        const wait_seconds = waitSecondsOf(request, given?.toString());
        const taken = await idempotency.run(request, caller, [caller.identity?.canonical, wanted], (call) => {
          const take = (open?: OpenCall) =>
            leases.take(caller, { ...wanted, room }, { call, wait_seconds, open });
          return wait_seconds > 0 ? http.open.wait(request, caller, take) : take();
        });
        return sendJson(taken, 201, caller);
      },
      { needs: "named", ...of_room, ...bodyForRoom(TakeLease), ...docs.take },
    )
    .post(
      `${at}/extend`,
      async ({ request, caller, params: { room }, body }) => {
        const extended = await idempotency.run(request, caller, [caller.identity?.canonical, body], (call) =>
          leases.extend(caller, { ...body, room }, call),
        );
        return sendJson(extended, 200, caller);
      },
      { needs: "named", ...of_room, ...bodyForRoom(ExtendLease), ...docs.extend },
    )
    .post(
      `${at}/release`,
      async ({ request, caller, params: { room }, body }) => {
        const released = await idempotency.run(request, caller, [caller.identity?.canonical, body], (call) =>
          leases.release(caller, { ...body, room }, call),
        );
        return sendJson(released, 200, caller);
      },
      { needs: "named", ...of_room, ...bodyForRoom(ReleaseLease), ...docs.release },
    )
    .post(
      `${at}/break`,
      async ({ request, caller, params: { room }, body }) => {
        const host_key = request.headers.get("x-meet-key");
        const broken = await idempotency.run(request, caller, [host_key, body], (call) =>
          leases.break(caller, { ...body, room, host_key }, call),
        );
        return sendJson(broken, 200, caller);
      },
      { needs: "reader", ...of_room, ...bodyForRoom(BreakLeases), ...docs.break },
    )
    .post(
      `${at}/check`,
      async ({ caller, params: { room }, body }) =>
        sendJson(await leases.check(caller, { ...body, room }), 200, caller),
      { needs: "reader", ...of_room, ...bodyForRoom(CheckLeases), ...docs.check },
    )
    .get(
      at,
      async ({ caller, params: { room }, query }) =>
        sendJson(await leases.list(caller, { ...query, room, limit: countOf(query.limit) }), 200, caller),
      { needs: "reader", ...of_room, query: LeaseListParams, ...docs.list },
    );
}
