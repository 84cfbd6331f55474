/** Something long in chunks, each made when its reader takes it. */

/**
 * Makes the next chunk; null at the end. A function and not a generator: a generator that loops over another one, or delegates
 * to it, keeps the chunk that it has yielded last, for as long as its reader takes nothing.
 */
export type Chunks<Chunk> = () => Promise<Chunk | null>;

export const mapChunks =
  <From, To>(chunks: Chunks<From>, map: (chunk: From) => To): Chunks<To> =>
  async () => {
    const chunk = await chunks();
    return chunk === null ? null : map(chunk);
  };

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
