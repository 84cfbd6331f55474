/** Renders the page of a room for a caller, with the forms and the buttons that this caller has. */

import { Held } from "../../views/leases.tsx";
import { postItems, roomPage, wholeThreadPage } from "../../views/room.tsx";
import { readsAsAnybody, type HostRights } from "../core/caller.ts";
import { speakersHaveNames } from "../core/policy.ts";
import type { Http } from "../web/context.ts";
import type { RequestContext } from "../web/request_context.ts";
import { page_security } from "../web/page_headers.ts";
import { taggedHtml, type Tagged } from "../web/responses.ts";
import { createPageReads, type PagePosts, type ShownPosts } from "./page_posts.ts";
import { roomAddresses, roomAt } from "./representations.ts";
import type { Rooms } from "./rooms.ts";
import type { RoomMembers } from "./members/members.ts";
import { isPrivateSlug } from "../api/rooms/visibility.ts";
import type { ReadableSlug } from "./slug.ts";
import { usual_pace } from "../api/limits.ts";
import type { Post } from "../api/rooms/rooms.ts";
import { flatPosts, quoteOf, threadOf } from "./threads.ts";
import type {
  CloseForm,
  Deliveries,
  PaceForm,
  Quote,
  Rights,
  RoomForms,
  ShownMembers,
  ShownRoom,
  SpeakForm,
} from "../api/rooms/pages.ts";

/** The parameters of a page, beside its room. */
export interface PageQuery {
  before?: string | undefined;
  /** Any value: the whole thread. */
  all?: string | undefined;
  reply?: string | undefined;
  report?: string | undefined;
  redact?: string | undefined;
  /** The name of the member that the form to change one is about. */
  member?: string | undefined;
}

/** A form that was refused, with what was entered. */
interface RefusedForm {
  speak?: SpeakForm;
  close?: CloseForm;
  pace?: Omit<PaceForm, "usual">;
  members?: Partial<Omit<ShownMembers, "members">>;
}

const fragment_headers = { ...page_security, "x-robots-tag": "noindex" };

type Reader = Pick<RequestContext, "caller" | "base">;

export type RoomHtml = ReturnType<typeof createRoomHtml>;

export function createRoomHtml(
  rooms: Rooms,
  members: Pick<RoomMembers, "list">,
  host: HostRights,
  { siteOf, policy, texts }: Pick<Http, "siteOf" | "policy" | "texts">,
) {
  const reads = createPageReads(rooms);
  const htmlOf = (posts: Post[]) => texts(posts.flatMap(({ body }) => body ?? []));
  const names_only = speakersHaveNames(policy);

  async function rightsOf({ caller }: Reader, slug: ReadableSlug): Promise<Rights> {
    const of_name = caller.identity && (await rooms.rightsIn(caller.identity, slug));
    const is_host = of_name?.is_host === true || (await host.hostKeyOf(caller, slug)) !== null;
    const role = isPrivateSlug(slug) ? await rooms.roleFor(caller, slug) : null;
    return { is_host, role, canRedact: (post) => is_host || of_name?.hasWritten(post) === true };
  }

  /** The members of a private room, and the forms about them; null if it is not private. */
  async function shownMembers(
    { caller }: Reader,
    slug: ReadableSlug,
    name: string | undefined,
    refused: RefusedForm["members"],
  ): Promise<ShownMembers | null> {
    if (!isPrivateSlug(slug)) return null;
    const all = (await members.list(caller, slug)).members;
    const changed = all.find((member) => member.name === name);
    const change = changed ? { name: changed.name, role: changed.role } : null;
    return { members: all, invite: {}, change, ...refused };
  }

  /** The quote of a post that a form is about; null if there is no such post. */
  async function quoted(slug: ReadableSlug, ref: string | undefined): Promise<Quote | null> {
    const post = ref ? await rooms.post(slug, ref) : null;
    return post && quoteOf(post, false);
  }

  /** The quote of a post that has a text. */
  async function quotedText(slug: ReadableSlug, ref: string | undefined): Promise<Quote | null> {
    const quote = await quoted(slug, ref);
    return quote?.text === null ? null : quote;
  }

  /** The post that the form to redact is about, and whether this reader may. Not in pages that everybody reads. */
  async function redacted(
    reader: Reader,
    slug: ReadableSlug,
    ref: string | undefined,
    { canRedact }: Rights,
  ) {
    const post = ref && !readsAsAnybody(reader.caller) ? await rooms.post(slug, ref) : null;
    return post?.body ? { quote: quoteOf(post, false), is_allowed: canRedact(post) } : null;
  }

  /**
   * What became of the reader's own posts among these that may mention somebody. `posts`: in their order. Of other replies the page shows
   * the answers anyway.
   */
  async function deliveriesOf(
    { caller }: Reader,
    slug: ReadableSlug,
    posts: readonly Post[],
  ): Promise<Deliveries | undefined> {
    const { identity } = caller;
    if (identity === null) return undefined;
    const mentioning = posts.filter(({ body }) => body?.includes("@"));
    return rooms.deliveriesIn(slug, identity, mentioning);
  }

  async function shownRoom(reader: Reader, slug: ReadableSlug, page: PagePosts): Promise<ShownRoom> {
    const { posts, opening, elsewhere, earlier, newer, leases } = page;
    const { base } = reader;
    const all = opening ? [opening, ...posts] : posts;
    return {
      room: roomAt(base, page.room),
      ...(leases && { leases }),
      posts: threadOf(posts, elsewhere, opening),
      opening: opening && { post: opening, quote: null, replies: [] },
      html: await htmlOf(all),
      deliveries: await deliveriesOf(reader, slug, all),
      first: posts[0]?.n ?? 0,
      last: posts.at(-1)?.n ?? 0,
      last_id: posts.at(-1)?.id,
      earlier,
      newer,
    };
  }

  return {
    reads,

    /** The page. Throws `room_not_found`. */
    async page(
      reader: Reader,
      slug: ReadableSlug,
      query: PageQuery,
      refused: RefusedForm = {},
    ): Promise<[PagePosts, string]> {
      const { before, reply, report, redact } = query;
      const page = await reads.page(slug, before === undefined ? undefined : Number(before));
      const rights = await rightsOf(reader, slug);
      const in_reply_to = refused.speak?.in_reply_to ?? reply;
      const answered = await quoted(slug, in_reply_to);
      const speak = {
        ...(answered && { in_reply_to: String(answered.n) }),
        ...refused.speak,
        answered,
        names_only,
      };
      const forms: RoomForms = {
        speak,
        report: await quotedText(slug, report),
        redact: await redacted(reader, slug, redact, rights),
        close: refused.close ?? {},
        pace: { ...refused.pace, usual: usual_pace },
        members: await shownMembers(reader, slug, query.member, refused.members),
      };
      const shown = await shownRoom(reader, slug, page);
      return [page, await roomPage(await siteOf(reader), shown, forms, rights)];
    },

    /** The page with the whole thread, or as much of it as fits. Throws `room_not_found`. */
    async whole(reader: Reader, slug: ReadableSlug): Promise<[PagePosts, string]> {
      const page = await reads.whole(slug);
      const shown = await shownRoom(reader, slug, page);
      return [page, await wholeThreadPage(await siteOf(reader), shown, await rightsOf(reader, slug))];
    },

    /** Who holds what, as the section of the page: for a script that replaces it. */
    async held(reader: Reader, slug: ReadableSlug): Promise<Tagged> {
      const { leases } = await rooms.read({ room: slug, limit: 1 });
      const { is_host } = await rightsOf(reader, slug);
      const { base } = reader;
      const section = await Held({ base, room: roomAddresses(base, slug), leases, is_host });
      return taggedHtml(section, fragment_headers);
    },

    /** Posts as list items, for a script that inserts them. */
    async fragment(
      reader: Reader,
      slug: ReadableSlug,
      { room, posts, elsewhere }: ShownPosts,
      more: boolean,
    ): Promise<Tagged> {
      const rights = await rightsOf(reader, slug);
      const shown = {
        room: roomAt(reader.base, room),
        posts: flatPosts(posts, elsewhere),
        html: await htmlOf(posts),
        deliveries: await deliveriesOf(reader, slug, posts),
      };
      const items = await postItems(reader.base, shown, more, rights);
      const { slowed_until } = shown.room;
      return taggedHtml(
        items,
        slowed_until === undefined
          ? fragment_headers
          : { ...fragment_headers, "x-wharf-slowed": slowed_until },
      );
    },
  };
}
