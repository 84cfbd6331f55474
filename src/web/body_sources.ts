/** Where large bodies come from, piece by piece. */

export interface BodySource {
  /** The next piece, of any length; null at the end. */
  next(): Uint8Array | null | Promise<Uint8Array | null>;
  /** Nobody wants the rest. */
  cancel(): void;
  /** The whole body, where it is in memory; one that is sent to many is held once. */
  whole?: Uint8Array<ArrayBuffer>;
  /** Bytes in memory until the end, beside the whole body and the piece that is being sent. */
  held_bytes?: number;
}

/** A source that gives these bytes. */
export const fromBytes = (whole: Uint8Array<ArrayBuffer>): BodySource => {
  let left: Uint8Array | null = whole;
  return {
    next() {
      const all = left;
      left = null;
      return all;
    },
    cancel() {},
    whole,
  };
};

const utf8 = new TextEncoder();

/** A source that gives what `chunks` yields. */
export const fromChunks = (chunks: AsyncGenerator<string>, held_bytes = 0): BodySource => ({
  async next() {
    const { value, done } = await chunks.next();
    return done ? null : utf8.encode(value);
  },
  cancel: () => void chunks.return(undefined),
  held_bytes,
});

export const nothing = new Uint8Array(0);

/** The source's next piece that has something in it; `nothing` at the end. */
export async function nextOf(source: BodySource): Promise<Uint8Array> {
  for (;;) {
    const piece = await source.next();
    if (piece === null) return nothing;
    if (piece.length > 0) return piece;
  }
}
