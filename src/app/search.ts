/** Searching: the one entry that every search takes, over HTTP, on pages and by tools. */

import { isoTime, type Clock } from "../core/clock.ts";
import type { InternalStorage } from "./command_runner.ts";
import { invalidFields, ServiceError } from "../core/errors.ts";
import { jobsBacklog } from "../jobs/search.ts";
import { limits } from "../core/limits.ts";
import type { Caller } from "../names/authentication.ts";
import type { HouseStorage } from "./storage.ts";
import { roomsBacklog } from "../rooms/search.ts";
import type { HouseSearches } from "./searches.ts";
import type { Usage } from "../core/rate_limit/rate_limit.ts";
import type { SearchInput, SearchResult, Tx } from "../core/storage.ts";

type SearchName = keyof HouseSearches;

/** For each search: how many rows its index lacks, and the act that indexes the next ones. */
const indexes: Record<
  SearchName,
  { backlog: (tx: Tx) => Promise<number>; act: "rooms.index" | "jobs.index" }
> = {
  "rooms.search": { backlog: roomsBacklog, act: "rooms.index" },
  "rooms.goals": { backlog: roomsBacklog, act: "rooms.index" },
  "jobs.search": { backlog: jobsBacklog, act: "jobs.index" },
};

export interface Search {
  /**
   * Takes a search from the caller's limits and runs it in the search thread; the time is added to its input. Throws
   * `rate_limited`, `search_busy`, `search_timeout`, and what the search throws.
   */
  run<N extends SearchName>(
    caller: Caller,
    name: N,
    input: Omit<SearchInput<HouseSearches, N>, "now">,
  ): Promise<SearchResult<HouseSearches, N>>;
}

export interface SearchDeps {
  storage: InternalStorage & Pick<HouseStorage, "search">;
  usage: Pick<Usage, "spend">;
  clock: Clock;
}

export function createSearch({ storage, usage, clock }: SearchDeps): Search {
  /**
   * Indexes what is missing, so that a search finds what was acknowledged before it. Only a little is waited for, and not
   * for long: a search of what is indexed beats no search.
   */
  async function catchUp(name: SearchName): Promise<void> {
    const { backlog, act } = indexes[name];
    const missing = await storage.read(backlog);
    if (missing === 0 || missing > limits.search_catch_up_rows_max) return;
    const late = Promise.withResolvers<void>();
    const cancelTimer = clock.after(limits.search_catch_up_ms, late.resolve);
    await Promise.race([indexAll(act), late.promise]);
    cancelTimer();
  }

  async function indexAll(act: "rooms.index" | "jobs.index"): Promise<void> {
    try {
      const times_max = limits.search_catch_up_rows_max / limits.index_chunk_posts + 1;
      for (let i = 0; i < times_max; i++) if (!(await storage.write(act, null)).result.more) return;
    } catch (error) {
      // The disk refuses writes.
      if (!(error instanceof ServiceError)) throw error;
    }
  }

  return {
    async run<N extends SearchName>(
      caller: Caller,
      name: N,
      input: object,
    ): Promise<SearchResult<HouseSearches, N>> {
      usage.spend(caller, "search", null);
      await catchUp(name);
      const with_time = { ...input, now: isoTime(clock.now()) } as SearchInput<HouseSearches, N>;
      return (await storage.search(name, with_time)) as SearchResult<HouseSearches, N>;
    },
  };
}

/** Throws when a page of a search would be longer than one may be. */
export function checkSearchLimit(limit: number): void {
  if (limit <= limits.search_page_max) return;
  const message = `must be a whole number from 1 to ${limits.search_page_max} in a search`;
  throw invalidFields([{ path: "limit", message }]);
}
