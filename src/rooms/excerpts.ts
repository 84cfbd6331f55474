/** What other features show of posts and rooms: beginnings of texts, mentions, goals. */

import type { FeatureStorage } from "../core/commands.ts";
import type { PostExcerpt, PostMentions } from "../mailbox/excerpts.ts";
import type { RoomCommands } from "./feature.ts";
import type { Admission } from "./members/admission.ts";
import { longestNames } from "./mentions.ts";
import { postBodies } from "./places_store.ts";
import { postExcerpts } from "./queries.ts";
import { findGoals } from "./store.ts";

/** A post by the slug of its room and its number; `from` as in `postExcerpts`. */
interface PostRefs {
  room: string;
  n: number;
  from?: number;
}

interface ExcerptDeps {
  storage: Pick<FeatureStorage<RoomCommands>, "read">;
  admission: Pick<Admission, "readableBy">;
  canonicalName(name: string): string;
}

export function createExcerpts({ storage, admission, canonicalName }: ExcerptDeps) {
  async function goalsOf(slugs: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (slugs.length === 0) return new Map();
    const rows = await storage.read((tx) => findGoals(tx, slugs));
    return new Map(rows.map(({ slug, goal }) => [slug, goal]));
  }

  return {
    /** The beginnings of these posts, at least one, by room and number. Those of deleted rooms and removed ones are missing. */
    excerpts: (posts: Parameters<typeof postExcerpts>[1]): Promise<PostExcerpt[]> =>
      storage.read((tx) => postExcerpts(tx, posts)),

    /** The same for a name, given by its canonical form: those that it may not read are missing, too. */
    async excerptsFor(reader: string, posts: readonly PostRefs[]): Promise<PostExcerpt[]> {
      const readable = await admission.readableBy(reader, posts);
      return readable.length === 0 ? [] : storage.read((tx) => postExcerpts(tx, readable));
    },

    /** The names that these posts mention, as `excerptsFor`. */
    async mentionsFor(reader: string, posts: readonly PostRefs[]): Promise<PostMentions[]> {
      const readable = await admission.readableBy(reader, posts);
      const rows = readable.length === 0 ? [] : await storage.read((tx) => postBodies(tx, readable));
      return rows.map(({ room, n, body }) => ({ room, n, names: longestNames(body ?? "", canonicalName) }));
    },

    /** The goals of these rooms, by their slugs, for admins. Those of deleted rooms are missing. */
    goalsForAdmin: goalsOf,

    /** The same for a name, given by its canonical form: those that it may not read are missing, too. */
    async goalsFor(reader: string, slugs: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const readable = await admission.readableBy(
        reader,
        slugs.map((room) => ({ room })),
      );
      return goalsOf(readable.map(({ room }) => room));
    },
  };
}
