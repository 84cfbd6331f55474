/** The pages of a room, below /meet/r/{room}: its posts, their permalinks and texts, and the form to post. */

import { Type } from "@sinclair/typebox";
import { pathToSpeak, speakLabels } from "../../views/room_forms.tsx";
import { readsAsAnybody } from "../core/caller.ts";
import { QueryOf } from "../core/fields.ts";
import { ServiceError } from "../core/errors.ts";
import { speakersHaveNames } from "../core/policy.ts";
import { refuseSecretsIn } from "../core/secrets.ts";
import { readForm } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import type { RequestContext } from "../web/request_context.ts";
import { pageDoc, undocumented } from "../web/openapi/describe.ts";
import { page_security, pageHeaders } from "../web/page_headers.ts";
import { checkBy } from "../web/problems.ts";
import { nameWords } from "../web/name_words.ts";
import { refusedPage, waitText, withoutSecrets, type FormWords } from "../web/refused_form.ts";
import {
  formAt,
  sendTagged,
  taggedHtml,
  taggedMarkdown,
  taggedText,
  type Tagged,
  seeOther,
} from "../web/responses.ts";
import { room_errors } from "./errors.ts";
import { sendLongMarkdown } from "./long_answers.ts";
import { roomMarkdownPieces } from "./markdown.ts";
import { no_room } from "./openapi.ts";
import { RoomParams } from "../api/rooms/params.ts";
import { leanPresent } from "./waiting.ts";
import { roomAddresses } from "./representations.ts";
import { indexing } from "./route_options.ts";
import type { PageQuery, RoomHtml } from "./room_html.ts";
import type { Rooms } from "./rooms.ts";
import { SpeakPost, type Post } from "../api/rooms/rooms.ts";
import { roomTopic, type ReadableSlug } from "./slug.ts";
import type { SpeakForm } from "../api/rooms/pages.ts";
import { room_internal_limits } from "./limits.ts";

const PermalinkParams = Type.Object({
  ...RoomParams.properties,
  post: Type.String({ description: "The post's number or id; with .txt at its end, its text alone." }),
});
const NumberParams = Type.Object({ ...RoomParams.properties, n: Type.String({ pattern: "^[0-9]{1,15}$" }) });
const PostRefParam = (description: string) => Type.Optional(Type.String({ description, maxLength: 36 }));
const PageParams = QueryOf({
  before: Type.Optional(
    Type.String({
      description: "The number of a post: the page ends before it. Without it the page has the newest posts.",
      pattern: "^[0-9]{1,15}$",
    }),
  ),
  all: Type.Optional(
    Type.Literal("1", { description: "The whole thread on one page, for reading and for printing." }),
  ),
  reply: PostRefParam("The number or id of the post that the form answers."),
  report: PostRefParam("The number or id of a post to report."),
  redact: PostRefParam("The number or id of a post to redact."),
  member: Type.Optional(
    Type.String({ description: "A member of a private room, to change or to remove.", maxLength: 200 }),
  ),
});
const docs = {
  room: pageDoc({
    summary: "A room with its newest posts, or those before a post",
    operation_id: "readRoomPage",
    failures: no_room,
  }),
  post: pageDoc({
    summary: "A post: leads to its place on a page of its room",
    operation_id: "readPostPage",
    failures: [...no_room, room_errors.post_not_found, room_errors.post_removed],
  }),
};

const checkSpeak = checkBy(SpeakPost, "body");

type Reader = Pick<RequestContext, "request" | "caller" | "base">;
type SentPost = Pick<SpeakForm, "name" | "body" | "in_reply_to"> & { once?: string };

/** What the form says of a post that comes too early: when to send it again. The head of the page says who ends the wait. */
function slowWords(error: unknown): FormWords["by_code"] {
  if (!(error instanceof ServiceError) || error.code !== room_errors.slow_down.code) return {};
  const wait = waitText(error.extra.retry_after_seconds ?? 60);
  return {
    [error.code]: {
      say: `Few names post here fast, so each waits between its posts. Send it again in ${wait}.`,
    },
  };
}

export function roomPages(rooms: Rooms, room_html: RoomHtml, http: Http) {
  const { access, origins, policy, cache, repeated, memory, topics, idempotency } = http;
  const { reads } = room_html;
  const names_only = speakersHaveNames(policy);

  /** An answer of `make`, from the cache if the caller reads what everybody reads. */
  async function cached(
    { request, caller }: Reader,
    slug: string,
    key: string,
    make: () => Promise<Tagged>,
    bytes_max: number = room_internal_limits.html_page_bytes_max,
  ): Promise<Tagged> {
    const is_shared = readsAsAnybody(caller);
    const known = is_shared ? cache.known(key) : undefined;
    if (known) return known;
    await memory.reserve(request, bytes_max);
    return rooms.whileAdmitted(caller, slug, is_shared ? cache.get(roomTopic(slug), key, make) : make());
  }

  async function markdownAnswer({ request, base, caller }: Reader, slug: ReadableSlug): Promise<Response> {
    const key = [base, "markdown", slug].join("\n");
    const known = cache.known(key);
    if (known) return repeated.send(request, base, key, known);
    const long = await rooms.whileAdmitted(caller, slug, rooms.readLong({ room: slug }, caller));
    if (typeof long === "object")
      return sendLongMarkdown(request, base, long, { names_only }, indexing(long.page.room));
    await memory.reserve(request, long);
    const making = cache.get(roomTopic(slug), key, async () => {
      const page = await rooms.read({ room: slug });
      return taggedMarkdown(
        [...roomMarkdownPieces(base, page, { names_only })].join(""),
        indexing(page.room),
      );
    });
    return repeated.send(request, base, key, await rooms.whileAdmitted(caller, slug, making));
  }

  async function roomAnswer(context: Reader, part: string, query: PageQuery): Promise<Response> {
    const { request, base, caller } = context;
    const { name, form } = formAt(request, part, ["html", "markdown"]);
    const slug = await rooms.admit(caller, name);
    if (form === "markdown") return markdownAnswer(context, slug);
    const { all, before, reply, report } = query;
    const key = [base, form, slug, ...(all ? ["all"] : [before, reply, report])].join("\n");
    const make = async () => {
      const [page, html] = await (all
        ? room_html.whole(context, slug)
        : room_html.page(context, slug, query));
      const twin = `${roomAddresses(base, slug).url}.md`;
      return taggedHtml(html, { ...pageHeaders(base, twin), ...indexing(page.room) });
    };
    const { html_page_bytes_max, html_whole_thread_bytes_max } = room_internal_limits;
    const bytes_max = all ? html_whole_thread_bytes_max : html_page_bytes_max;
    const answer = await cached(context, slug, key, make, bytes_max);
    return repeated.send(request, base, key, answer);
  }

  /** Leads to a post: on the page of its room; as markdown, at the beginning of a page of posts. */
  async function permalink(
    { request, base, caller }: Reader,
    room_slug: string,
    part: string,
  ): Promise<Response> {
    const slug = await rooms.admit(caller, room_slug);
    if (part.endsWith(".txt")) return rawText(request, slug, part.slice(0, -".txt".length));
    const { name, form } = formAt(request, part, ["html", "markdown"]);
    const { room, post } = await rooms.postIn(slug, name);
    const { url, api } = roomAddresses(base, slug);
    const location = form === "markdown" ? `${api}.md?since=${post.n - 1}` : await placeOf(url, slug, post);
    const headers = { location, vary: "Accept", ...page_security, ...indexing(room) };
    return new Response(null, { status: 302, headers });
  }

  /** The address of a post on the page that has it. */
  async function placeOf(url: string, slug: ReadableSlug, { id, n }: Post): Promise<string> {
    const before = await reads.pageWith(slug, n);
    return `${url}${before === null ? "" : `?before=${before}`}#p-${id}`;
  }

  /** The text of a post, byte for byte. */
  async function rawText(request: Request, slug: ReadableSlug, ref: string): Promise<Response> {
    const { room, post } = await rooms.postIn(slug, ref);
    if (post.body === null) {
      throw new ServiceError(room_errors.post_not_found, "The text of this post was redacted.");
    }
    return sendTagged(request, taggedText(post.body, { ...page_security, ...indexing(room) }));
  }

  return (
    access
      // Not the whole context: Elysia would copy the answer, and lose the body of a large one.
      .get(
        "/meet/r/:room",
        ({ request, caller, base, params, query }) =>
          roomAnswer({ request, caller, base }, params.room, query),
        {
          needs: "reader",
          params: RoomParams,
          query: PageParams,
          ...docs.room,
        },
      )
      .get(
        "/meet/r/:room/:post",
        ({ request, caller, base, params }) => permalink({ request, caller, base }, params.room, params.post),
        { needs: "reader", params: PermalinkParams, ...docs.post },
      )
      .get(
        "/meet/r/:room/held",
        async ({ request, caller, base, params }) => {
          const reader = { request, caller, base };
          const room = await rooms.admit(caller, params.room);
          const answer = await cached(reader, room, [base, "held", room].join("\n"), () =>
            room_html.held(reader, room),
          );
          return sendTagged(request, answer);
        },
        { needs: "reader", params: RoomParams, ...undocumented },
      )
      .get(
        "/meet/r/:room/after/:n",
        async ({ request, caller, base, params: { room: slug, n } }) => {
          const reader = { request, caller, base };
          const room = await rooms.admit(caller, slug);
          const answer = await cached(reader, room, [base, "after", room, n].join("\n"), async () => {
            const shown = await reads.after(room, Number(n));
            return room_html.fragment(reader, room, shown, shown.more);
          });
          const response = await sendTagged(request, answer);
          // No part of the cached answer: it changes without a change of the room.
          response.headers.set("x-wharf-waiting", String(topics.listening(roomTopic(room))));
          const { names = [] } = leanPresent(await rooms.present(room)) ?? {};
          const others = names.filter((name) => name !== caller.identity?.name);
          if (others.length > 0)
            response.headers.set("x-wharf-present", others.map(encodeURIComponent).join(", "));
          return response;
        },
        { needs: "reader", params: NumberParams, ...undocumented },
      )
      .get(
        "/meet/r/:room/post/:n",
        async ({ request, caller, base, params: { room: slug, n } }) => {
          const reader = { request, caller, base };
          const room = await rooms.admit(caller, slug);
          const answer = await cached(reader, room, [base, "post", room, n].join("\n"), async () => {
            return room_html.fragment(reader, room, await reads.alone(room, Number(n)), false);
          });
          return sendTagged(request, answer);
        },
        { needs: "reader", params: NumberParams, ...undocumented },
      )
      .post(
        "/meet/r/:room",
        async ({ request, caller, base, params }) => {
          const room = await rooms.admit(caller, params.room);
          const form: SentPost = await readForm(request, origins);
          const { url } = roomAddresses(base, room);
          try {
            refuseSecretsIn(form);
            const fields = checkSpeak({
              name: form.name ?? caller.identity?.name,
              body: form.body,
              in_reply_to: form.in_reply_to || null,
            });
            const post = await idempotency.runForm(request, caller, form, (call) =>
              rooms.speak(caller, { ...fields, room }, call),
            );
            return seeOther(`${url}#p-${post.id}`);
          } catch (error) {
            const { name, body, in_reply_to } = withoutSecrets(form);
            const by_code = {
              ...nameWords(base, name, pathToSpeak(url.slice(base.length), in_reply_to)),
              ...slowWords(error),
            };
            return refusedPage(error, { labels: speakLabels(caller.identity), by_code }, async (refusal) => {
              const speak = { name, body, in_reply_to, refusal };
              const [, html] = await room_html.page({ caller, base }, room, {}, { speak });
              return html;
            });
          }
        },
        { needs: "reader", params: RoomParams, parse: "none", ...undocumented },
      )
  );
}
