/** The difference of two versions of a file: what stands between their common beginning and their common end. */

export interface Splice {
  /** Where it begins, in bytes. */
  at: number;
  /** How many bytes are replaced. */
  length: number;
  /** What replaces them, in base64. */
  bytes: string;
}

/** What makes `from` the file `to`. */
export function spliceOf(from: Uint8Array, to: Uint8Array): Splice {
  const shorter = Math.min(from.length, to.length);
  let at = 0;
  while (at < shorter && from[at] === to[at]) at++;
  let end = 0;
  while (end < shorter - at && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  const bytes = to.subarray(at, to.length - end).toBase64();
  return { at, length: from.length - end - at, bytes };
}

export const spliced = (from: Uint8Array, { at, length, bytes }: Splice): Uint8Array =>
  Buffer.concat([from.subarray(0, at), Uint8Array.fromBase64(bytes), from.subarray(at + length)]);
