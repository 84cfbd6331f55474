/** Sources of large bodies, read in pieces. */

import { closeSync, readSync } from "node:fs";
import { mapChunks, type Chunks } from "../core/chunks.ts";

export interface BodySource {
  /** The next piece, of any length; null at the end. */
  next(): Uint8Array | null | Promise<Uint8Array | null>;
  /** Ends the source early. */
  cancel(): void;
  /** The whole body, if it is in memory. Readers of the same bytes share this memory. */
  whole?: Uint8Array<ArrayBuffer>;
  /** Bytes in memory until the end, beside `whole` and the current piece. */
  held_bytes?: number;
}

/** A source of these bytes. */
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

/** A source of these chunks of a text. */
export const fromChunks = (chunks: Chunks<string>, held_bytes = 0): BodySource => ({
  next: mapChunks(chunks, (text) => utf8.encode(text)),
  cancel() {},
  held_bytes,
});

const file_piece_bytes = 64 * 1024;

/** A source of an open file, which it closes. */
export function fromFile(descriptor: number): BodySource {
  let is_open = true;
  const close = () => {
    if (is_open) closeSync(descriptor);
    is_open = false;
  };
  return {
    next() {
      if (!is_open) return null;
      const piece = new Uint8Array(file_piece_bytes);
      const length = readSync(descriptor, piece, 0, file_piece_bytes, null);
      if (length > 0) return piece.subarray(0, length);
      close();
      return null;
    },
    cancel: close,
  };
}

export const nothing = new Uint8Array(0);

/** The source's next non-empty piece; `nothing` at the end. */
export async function nextOf(source: BodySource): Promise<Uint8Array> {
  for (;;) {
    const piece = await source.next();
    if (piece === null) return nothing;
    if (piece.length > 0) return piece;
  }
}
