/** The page /meet: the list of rooms, and the form to open one. */

import { Type, type Static } from "@sinclair/typebox";
import { openedPage } from "../../views/opened.tsx";
import { openLabels, roomsPage } from "../../views/rooms.tsx";
import type { HostRights } from "../core/caller.ts";
import { CursorParam, QueryOf, SearchText } from "../core/fields.ts";
import { limits } from "../core/limits.ts";
import { speakersHaveNames } from "../core/policy.ts";
import { refuseSecretsIn } from "../core/secrets.ts";
import { bodyOfForm, readForm } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import type { RequestContext } from "../web/request_context.ts";
import { pageDoc, undocumented } from "../web/openapi/describe.ts";
import { pageHeaders, queryOf, sendPage } from "../web/page_headers.ts";
import { nameWords } from "../web/name_words.ts";
import { refusedPage, withoutSecrets } from "../web/refused_form.ts";
import { formAt, sendTagged, taggedHtml } from "../web/responses.ts";
import { setSessionCookie } from "../web/session_cookie.ts";
import { slicedMarkdown } from "../web/slices.ts";
import { listMarkdownPieces } from "./markdown.ts";
import { roomAt, summaryAt, type RoomsPage } from "./representations.ts";
import type { Rooms } from "./rooms.ts";
import { OpenRoom, type RoomList } from "../api/rooms/rooms.ts";
import { filter_params, filterOf } from "../api/rooms/params.ts";
import { room_internal_limits } from "./limits.ts";

const rooms_per_page = 50;

const ListParams = QueryOf({
  cursor: CursorParam,
  q: Type.Optional(
    SearchText({
      description: "Words that a room's goal or posts hold.",
      maxLength: limits.search_chars_max,
    }),
  ),
  ...filter_params,
});
type SentRoom = { [Field in keyof OpenRoom | "once"]?: string };
type ListContext = RequestContext & { query: Static<typeof ListParams> };

const list_doc = pageDoc({ summary: "The public rooms", operation_id: "readRoomsPage" });
const openingOf = bodyOfForm(OpenRoom);

export function roomListPages(rooms: Rooms, host: HostRights, http: Http) {
  const { access, origins, policy, siteOf, memory, clock, idempotency } = http;
  const names_only = speakersHaveNames(policy);

  const listAt = (base: string, page: RoomsPage): RoomList => ({
    ...page,
    rooms: page.rooms.map((room) => summaryAt(base, room)),
  });

  // Not the whole context: Elysia would copy the answer, and lose the body of a large one.
  async function list({ request, route, caller, base, query: sent }: ListContext) {
    const { cursor, q = "" } = sent;
    const filter = filterOf(sent);
    const query = { filter, limit: rooms_per_page, cursor };
    const reserve = () =>
      memory.reserve(request, rooms_per_page * room_internal_limits.listed_room_bytes_max);
    if (!q.trim()) await reserve();
    const page = await (q.trim() ? rooms.search(caller, { ...query, q }) : rooms.list(query));
    if (q.trim()) await reserve();
    if (formAt(request, route, ["html", "markdown"]).form === "markdown") {
      return sendTagged(
        request,
        await slicedMarkdown(clock, listMarkdownPieces(base, page, { q, filter, names_only })),
      );
    }
    const headers = pageHeaders(base, `${base}/meet.md${queryOf(request)}`);
    return sendTagged(
      request,
      taggedHtml(
        await roomsPage(siteOf({ caller, base }), { list: listAt(base, page), q, ...filter }, { names_only }),
        headers,
      ),
    );
  }

  return access
    .get("/meet", list, { needs: "reader", query: ListParams, ...list_doc })
    .get("/meet.md", list, { needs: "reader", query: ListParams, ...undocumented })
    .post(
      "/meet",
      async ({ request, caller, base }) => {
        const form: SentRoom = await readForm(request, origins);
        const site = siteOf({ caller, base });
        try {
          refuseSecretsIn(form);
          const fields = openingOf({ ...form, name: form.name ?? caller.identity?.name });
          const { room, host_key, cookie } = await idempotency.runForm(
            request,
            caller,
            form,
            async (call) => {
              const opened = await rooms.open(caller, fields, { call });
              const { room, host_key } = opened;
              // Here, so that a second press of the button gets the cookie of the first: that ended the session of both.
              const cookie = host_key === null ? null : await host.opened(caller, room.slug, host_key);
              return { room, host_key, cookie };
            },
          );
          const page = await openedPage(site, roomAt(base, room), host_key);
          return sendPage(page, 201, cookie === null ? {} : setSessionCookie(base, cookie));
        } catch (error) {
          const by_code = nameWords(base, form.name, "/meet");
          return refusedPage(error, { labels: openLabels(caller.identity), by_code }, async (refusal) => {
            const page = await rooms.list({ filter: { closed: false }, limit: rooms_per_page });
            const listed = { list: listAt(base, page), q: "", closed: false };
            const shown = { ...withoutSecrets(form), names_only, refusal };
            return roomsPage(site, listed, shown);
          });
        }
      },
      { needs: "reader", parse: "none", ...undocumented },
    );
}
