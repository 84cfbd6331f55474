/** Turns news into a lean answer. */

import { treat_as } from "../core/text_form.ts";
import type { LeanLease, Lease } from "../api/leases.ts";
import type { Note } from "../api/mailbox.ts";
import type { Post } from "../api/rooms/rooms.ts";
import type { LeanNews } from "../api/wait.ts";
import type { News } from "./wait.ts";

/** The lean forms of posts, leases and notes, from their features. */
export interface LeanForms<LeanNote extends object = object> {
  post(post: Post): object;
  lease(lease: Lease): LeanLease;
  note(note: Note): LeanNote;
}

/** Members of a lean answer by slug; undefined for none. */
const bySlug = <Value>(entries: [string, Value][]): Record<string, Value> | undefined =>
  entries.length > 0 ? Object.fromEntries(entries) : undefined;

export function leanNews(news: News, forms: LeanForms): LeanNews {
  const { pages, leases, mailbox, unread_before, jobs, new_rooms, round, cursors } = news;
  const notes = mailbox?.notes ?? [];
  const posts = bySlug(
    pages
      .filter((page) => page.posts.length > 0)
      .map(({ room, posts }) => [room.slug, posts.map((post) => forms.post(post))]),
  );
  const more = bySlug(
    pages.filter((page) => page.more).map(({ room, next_n }) => [room.slug, room.posts - next_n]),
  );
  const closed = pages
    .filter(({ room, more }) => room.closed_at !== null && !more)
    .map(({ room }) => room.slug);
  const held = bySlug(
    Object.entries(leases).map(([slug, shown]) => [slug, shown.leases.map((lease) => forms.lease(lease))]),
  );
  const more_leases = Object.keys(leases).filter((slug) => leases[slug]!.more);
  const has_texts =
    held !== undefined || posts !== undefined || notes.length > 0 || jobs.length > 0 || new_rooms.length > 0;
  return {
    ...(posts && { posts }),
    ...(more && { more }),
    ...(closed.length > 0 && { closed }),
    ...(held && { leases: held }),
    ...(more_leases.length > 0 && { more_leases }),
    ...(notes.length > 0 && { notes: notes.map((note) => forms.note(note)) }),
    ...(mailbox?.dropped_through !== undefined && { dropped_through: mailbox.dropped_through }),
    ...(unread_before > 0 && { unread_before }),
    ...(jobs.length > 0 && {
      jobs: jobs.map(({ id, title, poster, tags }) => ({
        id,
        title,
        by: poster,
        ...(tags.length > 0 && { tags }),
      })),
    }),
    ...(new_rooms.length > 0 && {
      new_rooms: new_rooms.map(({ slug, goal, host }) => ({
        slug,
        goal,
        by: host.name,
        ...(host.claimed && { claimed: true as const }),
      })),
    }),
    ...(round && { beacon: round }),
    cursors,
    ...(has_texts && { treat_as }),
  };
}
