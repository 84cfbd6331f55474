/** Completions of slugs. */

import type { Caller } from "../core/caller.ts";
import type { FeatureStorage } from "../core/commands.ts";
import { limits } from "../core/limits.ts";
import type { SearchRunner } from "../core/search.ts";
import { searchTerms } from "../core/text.ts";
import type { RoomCommands, RoomSearches } from "./feature.ts";
import { slugsFrom } from "./queries.ts";

/**
 * Slug completions for a prefix, at most `limit`: open public rooms whose slug begins with it, then those whose goal has its
 * words. For an empty prefix, the most recently active rooms.
 */
export async function completeSlugs(
  { storage, search }: { storage: FeatureStorage<RoomCommands>; search: SearchRunner<RoomSearches> },
  caller: Caller,
  begun: string,
  limit: number,
): Promise<string[]> {
  // No slug is longer, and no search.
  if (begun.length > limits.search_chars_max) return [];
  const beginning = await storage.read((tx) => slugsFrom(tx, begun, limit));
  const terms = searchTerms(begun).length;
  if (beginning.length >= limit || terms === 0 || terms > limits.search_terms_max) return beginning;
  const meaning = await search.run(caller, "rooms.goals", { query: begun, limit });
  return [...new Set([...beginning, ...meaning])].slice(0, limit);
}
