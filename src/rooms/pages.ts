/** The pages of rooms: /meet and /meet/r/{room}. They work without scripts; posting uses a form. */

import { web_http_hints } from "../web/http_hints.ts";
import { room_http_hints } from "./http_hints.ts";
import { Type, type Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Site } from "../../views/layout.tsx";
import { openedPage } from "../../views/opened.tsx";
import {
  roomPage,
  roomPageEnd,
  roomPageStart,
  roomPosts,
  type ShownPost,
  type SpeakForm,
} from "../../views/room.tsx";
import { roomsPage, type OpenForm } from "../../views/rooms.tsx";
import { caller_errors } from "../core/caller_errors.ts";
import { ServiceError } from "../core/errors.ts";
import { speakersHaveNames } from "../core/policy.ts";
import { limits } from "../core/limits.ts";
import { answeredBy } from "./answered.ts";
import { room_errors } from "./errors.ts";
import { room_limits } from "./limits.ts";
import { holdsSecret, refuseSecretsIn } from "../core/secrets.ts";
import { formAt, sendChunks, sendTagged, sendText, taggedHtml, type Tagged } from "../web/responses.ts";
import { readForm } from "../web/body.ts";
import { pageDoc, undocumented } from "../web/openapi/describe.ts";
import type { Http, RequestContext } from "../web/context.ts";
import { page_security, pageHeaders, queryOf } from "../web/page_headers.ts";
import { checkBy, inHttpTerms, problemHeaders, statusOf } from "../web/problems.ts";
import { slicedMarkdown } from "../web/slices.ts";
import { listMarkdownPieces, roomMarkdownPieces } from "./markdown.ts";
import { indexing, roomAt, summaryAt, roomAddresses } from "./presenters.ts";
import { no_room } from "./openapi.ts";
import { RoomParams } from "./params.ts";
import type { RoomPage } from "./queries.ts";
import { roomTopic, type Rooms } from "./rooms.ts";
import { CursorParam, QueryOf, SearchText } from "../core/fields.ts";
import { OpenRoom, SpeakPost, type Post, type Room } from "./schema.ts";

const rooms_per_page = 100;

const ListParams = QueryOf({
  cursor: CursorParam,
  q: Type.Optional(
    SearchText({
      description: "Words that a room's goal or posts hold.",
      maxLength: limits.search_chars_max,
    }),
  ),
});
const PermalinkParams = Type.Object({
  ...RoomParams.properties,
  post: Type.String({ description: "The post's number or id." }),
});
const docs = {
  list: pageDoc({ summary: "The public rooms", operation_id: "readRoomsPage" }),
  room: pageDoc({ summary: "A room with all its posts", operation_id: "readRoomPage", failures: no_room }),
  post: pageDoc({
    summary: "A post: leads to its place on the page of its room",
    operation_id: "readPostPage",
    failures: [...no_room, room_errors.post_not_found],
  }),
};
type ListContext = RequestContext & { query: Static<typeof ListParams> };

const checkOpen = checkBy(OpenRoom, "body");
const checkSpeak = checkBy(SpeakPost, "body");

export function roomsPages(rooms: Rooms, { access, origins, policy, navigation, cache, clock }: Http) {
  const names_only = speakersHaveNames(policy);
  const twin = (base: string, page: RoomPage): Promise<Tagged> =>
    slicedMarkdown(clock, roomMarkdownPieces(base, page, { names_only }), indexing(page.room));

  /** The page of a room: in one piece if it is small, otherwise in chunks. */
  async function roomAnswer(
    request: Request,
    base: string,
    part: string,
    reply_to: string | undefined,
  ): Promise<Response> {
    const { name: slug, form } = formAt(request, part, ["html", "markdown"]);
    if (form === "markdown") {
      const answer = await cache.get(roomTopic(slug), [base, "markdown", slug].join("\n"), async () =>
        twin(base, await rooms.read({ room: slug })),
      );
      return sendTagged(request, answer);
    }
    const page = await rooms.read({ room: slug, chars_max: room_limits.room_html_chars_max });
    const room = roomAt(base, page.room);
    const headers = { ...pageHeaders(base, `${room.url}.md`), ...indexing(room) };
    const reply = { in_reply_to: reply_to ?? "", names_only };
    if (page.more) {
      return sendChunks(
        wholePage({ base, navigation }, room, rooms.posts(slug), reply),
        "text/html; charset=utf-8",
        headers,
      );
    }
    const answer = await cache.get(roomTopic(slug), [base, "html", slug, reply_to].join("\n"), async () =>
      taggedHtml(await roomPage({ base, navigation }, room, page.posts.map(shown), reply), headers),
    );
    return sendTagged(request, answer);
  }

  /** Leads to a post: on the page of its room; as markdown, at the beginning of a page of posts. */
  async function permalink(request: Request, base: string, slug: string, part: string): Promise<Response> {
    const { name, form } = formAt(request, part, ["html", "markdown"]);
    const [room, post] = await Promise.all([rooms.find(slug), rooms.post(slug, name)]);
    if (!post) throw new ServiceError(room_errors.post_not_found, "This room has no post with that number.");
    const { url, api } = roomAddresses(base, slug);
    const location = form === "markdown" ? `${api}.md?since=${post.n - 1}` : `${url}#p-${post.id}`;
    const headers = { location, vary: "Accept", ...page_security, ...indexing(room) };
    return new Response(null, { status: 302, headers });
  }

  async function list({ request, route, caller, base, query: { cursor, q } }: ListContext) {
    const query = { closed: false, limit: rooms_per_page, cursor };
    const page = await (q?.trim() ? rooms.search(caller, { ...query, q }) : rooms.list(query));
    const found = { ...page, rooms: page.rooms.map((room) => summaryAt(base, room)) };
    if (formAt(request, route, ["html", "markdown"]).form === "markdown") {
      return sendTagged(
        request,
        await slicedMarkdown(clock, listMarkdownPieces(base, page, { q, names_only })),
      );
    }
    const headers = pageHeaders(base, `${base}/meet.md${queryOf(request)}`);
    return sendTagged(
      request,
      taggedHtml(await roomsPage({ base, navigation }, found, q ?? "", { names_only }), headers),
    );
  }

  return new Elysia({ name: "rooms-pages" })
    .use(access)
    .get("/meet", list, { needs: "reader", query: ListParams, ...docs.list })
    .get("/meet.md", list, { needs: "reader", query: ListParams, ...undocumented })
    .post(
      "/meet",
      async ({ request, caller, base }) => {
        const form: OpenForm = await readForm(request, origins);
        try {
          refuseSecretsIn(form);
          const fields = checkOpen({ goal: form.goal, name: form.name, visibility: form.visibility });
          const { room, host_key } = await rooms.open(caller, fields);
          return new Response(await openedPage({ base, navigation }, roomAt(base, room), host_key!), {
            status: 201,
            headers: {
              "content-type": "text/html; charset=utf-8",
              "cache-control": "no-store",
              ...page_security,
            },
          });
        } catch (error) {
          return refusedPage(error, async (fault) => {
            const page = await rooms.list({ closed: false, limit: rooms_per_page });
            const list = { ...page, rooms: page.rooms.map((room) => summaryAt(base, room)) };
            return roomsPage({ base, navigation }, list, "", { ...withoutSecrets(form), names_only, fault });
          });
        }
      },
      { needs: "reader", parse: "none", ...undocumented },
    )
    .get(
      "/meet/r/:room",
      ({ request, base, params, query }) => roomAnswer(request, base, params.room, query.reply),
      {
        needs: "reader",
        params: RoomParams,
        query: QueryOf({
          reply: Type.Optional(
            Type.String({ description: "The id of the post that the form answers.", maxLength: 36 }),
          ),
        }),
        ...docs.room,
      },
    )
    .get(
      "/meet/r/:room/:post",
      ({ request, base, params }) => permalink(request, base, params.room, params.post),
      { needs: "reader", params: PermalinkParams, ...docs.post },
    )
    .post(
      "/meet/r/:room",
      async ({ request, caller, base, params }) => {
        const form: SpeakForm = await readForm(request, origins);
        const { url } = roomAddresses(base, params.room);
        try {
          refuseSecretsIn(form);
          const fields = checkSpeak({
            name: form.name,
            body: form.body,
            in_reply_to: form.in_reply_to || null,
          });
          const post = await rooms.speak(caller, { ...fields, room: params.room });
          return new Response(null, { status: 303, headers: { location: `${url}#p-${post.id}` } });
        } catch (error) {
          const page = await rooms.read({ room: params.room, limit: room_limits.feed_posts });
          return refusedPage(error, (fault) =>
            roomPage({ base, navigation }, roomAt(base, page.room), page.posts.map(shown), {
              ...withoutSecrets(form),
              names_only,
              fault,
            }),
          );
        }
      },
      { needs: "reader", params: RoomParams, parse: "none", ...undocumented },
    );
}

const shown = (post: Post): ShownPost => ({ ...post, in_reply_to_n: answeredBy(post) });

async function* wholePage(
  site: Site,
  room: Room,
  chunks: AsyncGenerator<Post[]>,
  form: SpeakForm,
): AsyncGenerator<string> {
  yield roomPageStart(site, room);
  for await (const posts of chunks) yield await roomPosts(room, posts.map(shown));
  yield roomPageEnd(site, room, form);
}

/** The fields of a refused form without keys, which a page never shows again. */
const withoutSecrets = <Form extends object>(form: Form): Form =>
  Object.fromEntries(
    Object.entries(form).map(([field, text]) => [field, holdsSecret(String(text)) ? "" : text]),
  ) as Form;

/** The page of a refused form, filled in with the input, without keys. */
async function refusedPage(
  error: unknown,
  render: (fault: string) => string | Promise<string>,
): Promise<Response> {
  // A browser that has to sign in gets the page that says so, and sends the form again.
  if (!(error instanceof ServiceError) || error.code === caller_errors.credential_required.code) throw error;
  const { detail, extra } = inHttpTerms(error, { ...web_http_hints, ...room_http_hints });
  const fault = [detail, extra.hint].filter(Boolean).join(" ");
  return sendText(await render(fault), {
    status: statusOf(error.definition),
    headers: { "content-type": "text/html; charset=utf-8", ...page_security, ...problemHeaders(error) },
  });
}
