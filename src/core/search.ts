/** Searches: their declarations, and the runner through which every search goes. */

import type { Caller } from "./caller.ts";
import { isoTime, type Clock } from "./clock.ts";
import type { Functions } from "./commands.ts";
import { invalidFields, ServiceError } from "./errors.ts";
import { limits } from "./limits.ts";
import type { RateLimiter } from "./rate_limit/rate_limit.ts";
import type { Search, SearchInput, SearchResult, Storage, Tx } from "./storage.ts";

/** A search of a feature. */
interface SearchDefinition<Input, Result> {
  run: Search<Input, Result>;
  /** The number of rows that are not indexed yet. */
  backlog: (tx: Tx) => Promise<number>;
  /** The internal command that indexes the next rows and returns whether there are more. */
  indexed_by: string;
}

// oxlint-disable-next-line no-explicit-any -- searches with any input
export type SearchDefinitions = Record<string, SearchDefinition<any, unknown>>;

export interface SearchRunner<D extends SearchDefinitions> {
  /**
   * Counts a search against the caller's limits and runs it in the search thread, with the time added to its input. Throws
   * `rate_limited`, `search_busy`, `search_timeout`, and what the search throws.
   */
  run<N extends keyof D & string>(
    caller: Caller,
    name: N,
    input: Omit<SearchInput<Functions<D>, N>, "now">,
  ): Promise<SearchResult<Functions<D>, N>>;
}

interface SearchRunnerDeps<D extends SearchDefinitions> {
  definitions: D;
  storage: Pick<Storage<Record<string, (tx: Tx, input: null) => Promise<unknown>>>, "read" | "write"> &
    Pick<Storage<never, Functions<D>>, "search">;
  limiter: Pick<RateLimiter, "take">;
  clock: Clock;
}

export function createSearchRunner<D extends SearchDefinitions>(deps: SearchRunnerDeps<D>): SearchRunner<D> {
  const { definitions, storage, limiter, clock } = deps;

  /**
   * Indexes missing rows, so that a search finds what was acknowledged before it. Indexes only a few, and not for long: a
   * search of the indexed rows is better than no search.
   */
  async function catchUp(name: keyof D & string): Promise<void> {
    const { backlog, indexed_by } = definitions[name]!;
    const missing = await storage.read(backlog);
    if (missing === 0 || missing > limits.search_catch_up_rows_max) return;
    const late = Promise.withResolvers<void>();
    const cancelTimer = clock.after(limits.search_catch_up_ms, late.resolve);
    await Promise.race([indexAll(indexed_by), late.promise]);
    cancelTimer();
  }

  async function indexAll(command: string): Promise<void> {
    try {
      const times_max = limits.search_catch_up_rows_max / limits.index_chunk_posts + 1;
      for (let i = 0; i < times_max; i++) {
        const { result } = await storage.write(command, null);
        if (!(result as { more: boolean }).more) return;
      }
    } catch (error) {
      // The disk refuses writes: search the indexed part.
      if (!(error instanceof ServiceError)) throw error;
    }
  }

  return {
    async run<N extends keyof D & string>(
      caller: Caller,
      name: N,
      input: object,
    ): Promise<SearchResult<Functions<D>, N>> {
      limiter.take(caller, "search", null);
      await catchUp(name);
      const with_time = { ...input, now: isoTime(clock.now()) } as SearchInput<Functions<D>, N>;
      return (await storage.search(name, with_time)) as SearchResult<Functions<D>, N>;
    },
  };
}

/** Throws `invalid_fields` if `limit` is more than a page of a search may have. */
export function checkSearchLimit(limit: number): void {
  if (limit <= limits.search_page_max) return;
  const message = `must be a whole number from 1 to ${limits.search_page_max} in a search`;
  throw invalidFields([{ path: "limit", message }]);
}
