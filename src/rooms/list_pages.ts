/** The list of rooms and searches in it: the page /meet with the form to open one, and the answers of GET /api/meet/rooms. */

import type { Static } from "@sinclair/typebox";
import { openedPage } from "../../views/opened.tsx";
import { openLabels, roomsPage } from "../../views/rooms.tsx";
import { framedChunks, mapChunks, type Chunks } from "../core/chunks.ts";
import type { HostRights } from "../core/caller.ts";
import { countOf } from "../core/fields.ts";
import { partsFor } from "../core/text.ts";
import { speakersHaveNames } from "../core/policy.ts";
import { refuseSecretsIn } from "../core/secrets.ts";
import { treat_as as treat_as_lean } from "../core/text_form.ts";
import type { Receipts } from "../receipts/receipts.ts";
import { bodyOfForm, readForm } from "../web/body.ts";
import { browserOf } from "../web/browser_text.ts";
import type { Http } from "../web/context.ts";
import type { RequestContext } from "../web/request_context.ts";
import { pageDoc, undocumented } from "../web/openapi/describe.ts";
import { pageHeaders, queryOf, sendPage } from "../web/page_headers.ts";
import { nameWords } from "../web/name_words.ts";
import { refusedPage, withoutSecrets } from "../web/refused_form.ts";
import {
  formAt,
  media,
  sendChunks,
  sendTagged,
  taggedHtml,
  taggedJson,
  seeOther,
  seeOtherWith,
} from "../web/responses.ts";
import { setSessionCookie } from "../web/session_cookie.ts";
import { slicedJson, slicedMarkdown } from "../web/slices.ts";
import { listMarkdownPieces } from "./markdown.ts";
import {
  leanList,
  leanListed,
  roomAddresses,
  roomAt,
  type RoomRecord,
  type RoomsPage,
  summaryAt,
} from "./representations.ts";
import { opened } from "./receipt.ts";
import type { Rooms } from "./rooms.ts";
import { OpenRoom } from "../api/rooms/rooms.ts";
import type { ListOfRooms } from "../api/rooms/pages.ts";
import {
  filterOf,
  ListPageParams,
  type ListParams,
  type RoomFilter,
  sentFilterOf,
  RoomParams,
} from "../api/rooms/params.ts";
import { room_internal_limits } from "./limits.ts";

const rooms_per_page = 50;

type SentRoom = { [Field in keyof OpenRoom | "once"]?: string };
type PageContext = RequestContext & { query: Static<typeof ListPageParams> };

const list_doc = pageDoc({ summary: "The public rooms", operation_id: "readRoomsPage" });
const openingOf = bodyOfForm(OpenRoom);

interface ListPagesDeps {
  rooms: Rooms;
  host: HostRights;
  receipts: Receipts;
}

export function roomListPages({ rooms, host, receipts }: ListPagesDeps, http: Http) {
  const { access, origins, policy, siteOf, memory, clock, idempotency, shown_once } = http;
  const names_only = speakersHaveNames(policy);

  const listAt = (base: string, page: RoomsPage): ListOfRooms => ({
    ...page,
    rooms: page.rooms.map((room) => ({ ...summaryAt(base, room), matches: room.matches ?? [] })),
  });

  // Not the whole context: Elysia would copy the answer, and lose the body of a large one.
  async function list({ request, route, caller, base, query: sent }: PageContext) {
    const { cursor } = sent;
    const q = sent.q?.trim() ? sent.q : "";
    const reserve = (room_bytes: number) => memory.reserve(request, rooms_per_page * room_bytes);
    const filter = sentFilterOf(sent);
    const query = { filter, limit: rooms_per_page, cursor };
    if (!q) await reserve(room_internal_limits.listed_room_bytes_max);
    const page = await (q
      ? rooms.search(caller, { ...query, q, posts: room_internal_limits.found_posts_per_room })
      : rooms.list({ ...query, filter: filterOf(sent) }));
    if (q) await reserve(room_internal_limits.found_room_with_posts_bytes_max);
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
        await roomsPage(
          await siteOf({ caller, base }),
          { list: { ...listAt(base, page), ...(q && { partsOf: partsFor(q) }) }, q, ...filter },
          { names_only },
        ),
        headers,
      ),
    );
  }

  return access
    .get("/meet", list, { needs: "reader", query: ListPageParams, ...list_doc })
    .get("/meet.md", list, { needs: "reader", query: ListPageParams, ...undocumented })
    .post(
      "/meet",
      async ({ request, caller, base }) => {
        const form: SentRoom = await readForm(request, origins);
        const site = await siteOf({ caller, base });
        try {
          refuseSecretsIn(form);
          const fields = openingOf({ ...form, name: form.name ?? caller.identity?.name });
          const { room, host_key, cookie } = await idempotency.runForm(
            request,
            caller,
            form,
            async (call) => {
              const { room, host_key } = await rooms.open(caller, fields, { call });
              // Here, so that a second press of the button gets the cookie of the first: that ended the session of both.
              const browser = browserOf(request.headers);
              const cookie = host_key && (await host.opened(caller, room.slug, host_key, browser));
              return { room, host_key, cookie };
            },
          );
          const location = keyPageOf(base, room.slug);
          if (cookie === null) return seeOther(location);
          return seeOtherWith(location, [
            setSessionCookie(base, cookie)["set-cookie"],
            shown_once.cookie(location, cookie, { host_key }),
          ]);
        } catch (error) {
          const by_code = nameWords(base, form.name, "/meet");
          return refusedPage(error, { labels: openLabels(caller.identity), by_code }, async (refusal) => {
            const page = await rooms.list({ filter: { closed: false }, limit: rooms_per_page });
            const listed = { list: listAt(base, page), q: "" };
            const shown = { ...withoutSecrets(form), names_only, refusal };
            return roomsPage(site, listed, shown);
          });
        }
      },
      { needs: "reader", parse: "none", ...undocumented },
    )
    .get(
      "/meet/r/:room/key",
      async ({ request, caller, base, params: { room: slug } }) => {
        const room = await rooms.find(await rooms.admit(caller, slug));
        const secrets = shown_once.secretsFor(request, base, keyPageOf(base, slug)) as {
          host_key: string;
        } | null;
        const given = secrets && { ...secrets, receipt: receipts.shown(opened(room)) };
        const page = await openedPage(await siteOf({ caller, base }), { room: roomAt(base, room), given });
        return sendPage(page);
      },
      { needs: "reader", params: RoomParams, ...undocumented },
    );
}

/** The page with the key of a room that was opened. */
const keyPageOf = (base: string, slug: string): string => `${roomAddresses(base, slug).url}/key`;

type ListContext = RequestContext & { query: ListParams };

/** Memory for each room of a list while the list is sent, in bytes. */
const slug_bytes = 100;

/** Longer lists of rooms are serialized in slices. */
const rooms_whole_max = 200;

/** The headers of answers that are for their caller alone. */
const never_shared = { "cache-control": "private, no-store" };

/** Answers the list of rooms, or a search in it, as JSON or Markdown. */
export function listAnswer(rooms: Rooms, http: Http) {
  const { memory } = http;
  const names_only = speakersHaveNames(http.policy);

  async function answer({ request, route, caller, base, query: params }: ListContext): Promise<Response> {
    const { form } = formAt(request, route, ["json", "markdown"]);
    const { q, cursor, visibility } = params;
    const filter = filterOf(params);
    const is_own = visibility !== undefined;
    if (!is_own && params.limit === undefined && cursor === undefined && q === undefined && form === "json") {
      const held_bytes = slug_bytes * (await rooms.count(filter));
      return sendChunks(allRooms(base, filter, params.fields), media.json, {}, held_bytes);
    }
    const query = { filter: sentFilterOf(params), cursor, limit: countOf(params.limit) ?? 100 };
    const reserve = (room_bytes: number) => memory.reserve(request, query.limit * room_bytes);
    if (q === undefined) await reserve(room_internal_limits.listed_room_bytes_max);
    const list = () =>
      is_own ? rooms.listOwn(caller, { ...query, filter }) : rooms.list({ ...query, filter });
    const search = is_own ? rooms.searchOwn : rooms.search;
    const page = await (q === undefined ? list() : search(caller, { ...query, q }));
    // A search may take long: it holds no memory of others up.
    if (q !== undefined) await reserve(room_internal_limits.found_room_bytes_max);
    const headers = is_own ? never_shared : {};
    if (form === "markdown") {
      const shown = { q, filter: { ...query.filter, ...(is_own && { visibility }) }, names_only };
      const pieces = listMarkdownPieces(base, page, shown);
      return sendTagged(request, await slicedMarkdown(http.clock, pieces, headers));
    }
    if (params.fields) return sendTagged(request, taggedJson(leanList(base, page), headers));
    const answer = { ...page, rooms: page.rooms.map((room) => summaryAt(base, room)) };
    const is_long = answer.rooms.length > rooms_whole_max;
    return sendTagged(
      request,
      await (is_long ? slicedJson(http.clock, answer, "rooms", headers) : taggedJson(answer, headers)),
    );
  }

  function allRooms(base: string, filter: RoomFilter, fields?: "lean"): Chunks<string> {
    const shown = (room: RoomRecord) => (fields ? leanListed(room) : summaryAt(base, room));
    const chunks = mapChunks(rooms.all(filter), (chunk) =>
      chunk.map((room) => JSON.stringify(shown(room))).join(","),
    );
    return framedChunks(chunks, {
      head: '{"rooms":[',
      separator: ",",
      end: async () =>
        fields ? `],"treat_as":"${treat_as_lean}"}` : `],"total":${await rooms.count(filter)},"next":null}`,
    });
  }

  return answer;
}
