/** The route of waits: /api/wait. */

import type { ErrorDefinition } from "../core/error_definition.ts";
import { limits } from "../core/limits.ts";
import { ServiceError } from "../core/errors.ts";
import type { OpenCall } from "../core/open_calls.ts";
import type { Http } from "../web/context.ts";
import { waitSecondsOf } from "../web/long_waits.ts";
import { factsOf } from "../web/request_facts.ts";
import { sendJson } from "../web/responses.ts";
import { docs } from "./openapi.ts";
import type { RoomSpellings } from "./positions.ts";
import { leanNews, type LeanForms } from "./representations.ts";
import type { Cursors, NewsWaits, WaitRequest } from "./wait.ts";
import { WaitParams } from "../api/wait.ts";

/** The names of fields over HTTP where they differ. */
const over_http: Record<string, string> = { rooms: "room", new_rooms: "rooms" };

/** An error with the names that its fields have over HTTP. */
function inParams(error: unknown): unknown {
  if (!(error instanceof ServiceError) || !error.extra.errors) return error;
  const errors = error.extra.errors.map((one) => ({ ...one, path: over_http[one.path] ?? one.path }));
  const detail = error.detail.replace(/^\w+(?=:)/, (path) => over_http[path] ?? path);
  return new ServiceError(error.definition, detail, { ...error.extra, errors });
}

/** `SLUG:SINCE` as an entry; without SINCE from now on. A time has colons, too. */
function entryOf(room: string): [string, string] {
  const colon = room.indexOf(":");
  return colon < 0 ? [room, "now"] : [room.slice(0, colon), room.slice(colon + 1) || "now"];
}

/** The path of the next call with the other parameters that it repeats; undefined if there is nothing left to wait for. */
function pathOf(
  { rooms = {}, leases = {}, new_rooms, ...cursors }: Cursors,
  repeated: Record<string, string>,
) {
  const params = new URLSearchParams();
  for (const [room, since] of Object.entries(rooms)) params.append("room", `${room}:${since}`);
  for (const [room, since] of Object.entries(leases)) params.append("leases", `${room}:${since}`);
  for (const [name, cursor] of Object.entries({ ...cursors, rooms: new_rooms })) {
    if (cursor !== undefined) params.set(name, String(cursor));
  }
  if (params.size === 0) return undefined;
  for (const [name, value] of Object.entries(repeated)) params.set(name, value);
  return `/api/wait?${params.toString().replaceAll("%3A", ":")}`;
}

export function waitHttp(
  waits: NewsWaits,
  forms: LeanForms,
  of_sources: readonly ErrorDefinition[],
  { plainSlug }: RoomSpellings,
  http: Http,
) {
  return http.access.get(
    "/api/wait",
    async ({ request, caller, query }) => {
      const params = new URL(request.url).searchParams;
      const named = (name: string) => {
        const entries = params.getAll(name).map(entryOf);
        return Object.fromEntries(entries.map(([room, since]) => [plainSlug(room), since]));
      };
      const wanted: WaitRequest = {
        ...query,
        rooms: named("room"),
        leases: named("leases"),
        new_rooms: query.rooms,
      };
      const wait_seconds = waitSecondsOf(request, query.wait_seconds, limits.wait_seconds_max);
      const read = (open?: OpenCall) => waits.news(caller, wanted, { wait_seconds, open });
      const news = await (wait_seconds > 0 ? http.open.wait(request, caller, read) : read()).catch(
        (error: unknown) => {
          throw inParams(error);
        },
      );
      const states_time = query.wait_seconds !== undefined || factsOf(request).applied_wait_seconds !== null;
      const next = pathOf(news.cursors, {
        ...(query.not_by !== undefined && { not_by: query.not_by }),
        ...(states_time && wait_seconds > 0 && { wait_seconds: String(wait_seconds) }),
      });
      return sendJson({ ...leanNews(news, forms), ...(next && { next }) }, 200, caller);
    },
    { needs: "reader", query: WaitParams, ...docs(of_sources).wait },
  );
}
