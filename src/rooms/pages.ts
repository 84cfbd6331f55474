/** The pages of a room, below /meet/r/{room}: its posts, their permalinks and texts, and the form to post. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { roomPage, postItems, type ShownRoom } from "../../views/room.tsx";
import type { Site } from "../../views/layout.tsx";
import type { SpeakForm } from "../../views/room_forms.tsx";
import { QueryOf } from "../core/fields.ts";
import { ServiceError } from "../core/errors.ts";
import { speakersHaveNames } from "../core/policy.ts";
import { refuseSecretsIn } from "../core/secrets.ts";
import { readForm } from "../web/body.ts";
import type { Http, RequestContext } from "../web/context.ts";
import { pageDoc, undocumented } from "../web/openapi/describe.ts";
import { page_security, pageHeaders } from "../web/page_headers.ts";
import { checkBy } from "../web/problems.ts";
import { createRenderedTexts } from "../web/rendered_texts.ts";
import { refusedPage, withoutSecrets } from "../web/refused_form.ts";
import { formAt, sendTagged, taggedHtml, taggedText, type Tagged } from "../web/responses.ts";
import { slicedMarkdown } from "../web/slices.ts";
import { room_errors } from "./errors.ts";
import { room_http_hints } from "./http_hints.ts";
import { roomMarkdownPieces } from "./markdown.ts";
import { no_room } from "./openapi.ts";
import { createPageReads, type PagePosts, type ShownPosts } from "./page_posts.ts";
import { RoomParams } from "./params.ts";
import { indexing, roomAddresses, roomAt } from "./presenters.ts";
import { roomTopic, type Rooms } from "./rooms.ts";
import { SpeakPost, type Post } from "./schema.ts";
import { flatPosts, quoteOf, threadOf, type Quote } from "./threads.ts";

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
  reply: PostRefParam("The number or id of the post that the form answers."),
  report: PostRefParam("The number or id of a post to report."),
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
    failures: [...no_room, room_errors.post_not_found],
  }),
};

const checkSpeak = checkBy(SpeakPost, "body");
const notFound = (detail: string) => new ServiceError(room_errors.post_not_found, detail);

/** The parameters of a page, beside its room. */
interface PageQuery {
  before?: string | undefined;
  reply?: string | undefined;
  report?: string | undefined;
}

export function roomPages(rooms: Rooms, { access, origins, policy, siteOf, cache, clock, topics }: Http) {
  const reads = createPageReads(rooms);
  const texts = createRenderedTexts(clock);
  const names_only = speakersHaveNames(policy);

  const htmlOf = (posts: Post[]) => texts(posts.flatMap(({ body }) => body ?? []));

  async function shownRoom(base: string, page: PagePosts): Promise<ShownRoom> {
    const { posts, elsewhere, earlier, newer } = page;
    return {
      room: roomAt(base, page.room),
      posts: threadOf(posts, elsewhere),
      html: await htmlOf(posts),
      first: posts[0]?.n ?? 0,
      last: posts.at(-1)?.n ?? 0,
      last_id: posts.at(-1)?.id,
      earlier,
      newer,
    };
  }

  /** The quote of a post that a form is about; null if there is no such post. */
  async function quoted(slug: string, ref: string | undefined): Promise<Quote | null> {
    const post = ref ? await rooms.post(slug, ref) : null;
    return post && quoteOf(post, false);
  }

  async function html(site: Site, slug: string, { before, reply, report }: PageQuery): Promise<Tagged> {
    const { base } = site;
    const page = await reads.page(slug, before === undefined ? undefined : Number(before));
    const answered = await quoted(slug, reply);
    const reported = await quoted(slug, report);
    const speak = { names_only, ...(answered && { answered, in_reply_to: String(answered.n) }) };
    const headers = { ...pageHeaders(base, `${roomAddresses(base, slug).url}.md`), ...indexing(page.room) };
    return taggedHtml(
      await roomPage(site, await shownRoom(base, page), {
        speak,
        report: reported?.text === null ? null : reported,
      }),
      headers,
    );
  }

  async function markdown(base: string, slug: string): Promise<Tagged> {
    const page = await rooms.read({ room: slug });
    return slicedMarkdown(clock, roomMarkdownPieces(base, page, { names_only }), indexing(page.room));
  }

  async function roomAnswer(context: RequestContext, part: string, query: PageQuery): Promise<Response> {
    const { request, base, caller } = context;
    const { name: slug, form } = formAt(request, part, ["html", "markdown"]);
    const topic = roomTopic(slug);
    if (form === "markdown") {
      const key = [base, form, slug].join("\n");
      return sendTagged(request, await cache.get(topic, key, () => markdown(base, slug)));
    }
    const make = () => html(siteOf(context), slug, query);
    // The page names who is signed in.
    if (caller.identity !== null || caller.session !== null) return sendTagged(request, await make());
    const key = [base, form, slug, query.before, query.reply, query.report].join("\n");
    return sendTagged(request, await cache.get(topic, key, make));
  }

  /** Leads to a post: on the page of its room; as markdown, at the beginning of a page of posts. */
  async function permalink(request: Request, base: string, slug: string, part: string): Promise<Response> {
    if (part.endsWith(".txt")) return rawText(request, slug, part.slice(0, -".txt".length));
    const { name, form } = formAt(request, part, ["html", "markdown"]);
    const [room, post] = await Promise.all([rooms.find(slug), rooms.post(slug, name)]);
    if (!post) throw notFound("This room has no post with that number.");
    const { url, api } = roomAddresses(base, slug);
    const location = form === "markdown" ? `${api}.md?since=${post.n - 1}` : await placeOf(url, post);
    const headers = { location, vary: "Accept", ...page_security, ...indexing(room) };
    return new Response(null, { status: 302, headers });
  }

  /** The address of a post on the page that has it. */
  async function placeOf(url: string, { id, room, n }: Post): Promise<string> {
    const before = await reads.pageWith(room, n);
    return `${url}${before === null ? "" : `?before=${before}`}#p-${id}`;
  }

  /** The text of a post, byte for byte. */
  async function rawText(request: Request, slug: string, ref: string): Promise<Response> {
    const [room, post] = await Promise.all([rooms.find(slug), rooms.post(slug, ref)]);
    if (!post) throw notFound("This room has no post with that number.");
    if (post.body === null) throw notFound("The text of this post was redacted.");
    return sendTagged(request, taggedText(post.body, { ...page_security, ...indexing(room) }));
  }

  /** Posts as list items, for a script that inserts them. */
  async function fragment(base: string, { room, posts, elsewhere }: ShownPosts, more: boolean) {
    const shown = { room: roomAt(base, room), posts: flatPosts(posts, elsewhere), html: await htmlOf(posts) };
    const items = await postItems(base, shown, more);
    return taggedHtml(items, { ...page_security, "x-robots-tag": "noindex" });
  }

  return new Elysia({ name: "rooms-pages" })
    .use(access)
    .get("/meet/r/:room", (context) => roomAnswer(context, context.params.room, context.query), {
      needs: "reader",
      params: RoomParams,
      query: PageParams,
      ...docs.room,
    })
    .get(
      "/meet/r/:room/:post",
      ({ request, base, params }) => permalink(request, base, params.room, params.post),
      { needs: "reader", params: PermalinkParams, ...docs.post },
    )
    .get(
      "/meet/r/:room/after/:n",
      async ({ request, base, params: { room, n } }) => {
        const answer = await cache.get(roomTopic(room), [base, "after", room, n].join("\n"), async () => {
          const shown = await reads.after(room, Number(n));
          return fragment(base, shown, shown.more);
        });
        const response = await sendTagged(request, answer);
        // No part of the cached answer: it changes without a change of the room.
        response.headers.set("x-wharf-waiting", String(topics.listening(roomTopic(room))));
        return response;
      },
      { needs: "reader", params: NumberParams, ...undocumented },
    )
    .get(
      "/meet/r/:room/post/:n",
      async ({ request, base, params: { room, n } }) =>
        sendTagged(
          request,
          await cache.get(roomTopic(room), [base, "post", room, n].join("\n"), async () => {
            const shown = await reads.alone(room, Number(n));
            if (!shown) throw notFound("This room has no post with that number.");
            return fragment(base, shown, false);
          }),
        ),
      { needs: "reader", params: NumberParams, ...undocumented },
    )
    .post(
      "/meet/r/:room",
      async ({ request, caller, base, params: { room } }) => {
        const form: Pick<SpeakForm, "name" | "body" | "in_reply_to"> = await readForm(request, origins);
        const { url } = roomAddresses(base, room);
        try {
          refuseSecretsIn(form);
          const fields = checkSpeak({
            name: form.name,
            body: form.body,
            in_reply_to: form.in_reply_to || null,
          });
          const post = await rooms.speak(caller, { ...fields, room });
          return new Response(null, { status: 303, headers: { location: `${url}#p-${post.id}` } });
        } catch (error) {
          const page = await reads.page(room);
          const { name, body, in_reply_to } = withoutSecrets(form);
          const answered = await quoted(room, in_reply_to);
          const shown = await shownRoom(base, page);
          return refusedPage(error, room_http_hints, (refusal) => {
            const speak = { name, body, in_reply_to, answered, names_only, refusal };
            return roomPage(siteOf({ caller, base }), shown, { speak, report: null });
          });
        }
      },
      { needs: "reader", params: RoomParams, parse: "none", ...undocumented },
    );
}
