/** Something long in chunks, each made when its reader takes it. */

/**
 * Makes the next chunk; null at the end. A function and not a generator: a generator that loops over another one, or delegates
 * to it, keeps the chunk that it has yielded last, for as long as its reader takes nothing.
 */
export type Chunks<Chunk> = () => Promise<Chunk | null>;

export const mapChunks =
  <From, To>(chunks: Chunks<From>, map: (chunk: From) => To | Promise<To>): Chunks<To> =>
  async () => {
    const chunk = await chunks();
    return chunk === null ? null : map(chunk);
  };

/** These chunks one after another. Each of `parts` is made when the one before has ended. */
export function joinedChunks<Chunk>(parts: (() => Chunks<Chunk>)[]): Chunks<Chunk> {
  const left = [...parts];
  let next: Chunks<Chunk> | undefined;
  return async () => {
    for (;;) {
      next ??= left.shift()?.();
      if (!next) return null;
      const chunk = await next();
      if (chunk !== null) return chunk;
      next = undefined;
    }
  };
}

/** The chunks of a list that `read` returns page by page: the page after the item `last`, or the first one. The last page is shorter than `limit`. */
export function pagedChunks<Item>(
  limit: number,
  read: (last: Item | undefined) => Promise<Item[]>,
): Chunks<Item[]> {
  let last: Item | undefined;
  let has_ended = false;
  return async () => {
    if (has_ended) return null;
    const items = await read(last);
    has_ended = items.length < limit;
    last = items.at(-1);
    return items.length > 0 ? items : null;
  };
}

/** The texts before, between and after the chunks of a text. */
interface AroundChunks {
  head: string;
  /** Between two chunks. */
  separator?: string;
  end: string | (() => Promise<string>);
}

/** A text that begins with `head`, has the chunks, and ends with `end`. */
export function framedChunks(
  chunks: Chunks<string>,
  { head, separator = "", end }: AroundChunks,
): Chunks<string> {
  let state: "new" | "begun" | "ended" = "new";
  return async () => {
    if (state === "ended") return null;
    const chunk = await chunks();
    const is_first = state === "new";
    state = chunk === null ? "ended" : "begun";
    if (chunk !== null) return (is_first ? head : separator) + chunk;
    return (is_first ? head : "") + (typeof end === "string" ? end : await end());
  };
}
