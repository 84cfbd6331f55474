/** Merkle trees, written closely after the standards: roots by RFC 6962, proofs by RFC 9162. */

import { fromHex, sha256, toHex, type Bytes } from "./hashes.ts";

const joined = (...parts: Bytes[]): Bytes => Uint8Array.from(parts.flatMap((part) => [...part]));
const leafHash = (leaf: Bytes) => sha256(joined(Uint8Array.of(0), leaf));
const nodeHash = (left: Bytes, right: Bytes) => sha256(joined(Uint8Array.of(1), left, right));

/** The root over `leaves` (RFC 6962, section 2.1): splits at the largest power of two below their number. */
async function rootOver(leaves: Bytes[]): Promise<Bytes> {
  if (leaves.length === 1) return leafHash(leaves[0]!);
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return nodeHash(await rootOver(leaves.slice(0, split)), await rootOver(leaves.slice(split)));
}

/** The root over commitments in hex. */
export const rootOverCommits = async (commits: string[]): Promise<string> =>
  toHex(await rootOver(commits.map(fromHex)));

/** The root computed from an inclusion proof (RFC 9162, section 2.1.3.2); null if the proof has the wrong length. */
export async function rootByPath(
  commit: string,
  index: number,
  size: number,
  path: string[],
): Promise<string | null> {
  if (index >= size) return null;
  let fn = index;
  let sn = size - 1;
  let root = await leafHash(fromHex(commit));
  for (const hash of path.map(fromHex)) {
    if (sn === 0) return null;
    if (fn % 2 === 1 || fn === sn) {
      root = await nodeHash(hash, root);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else {
      root = await nodeHash(root, hash);
    }
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return sn === 0 ? toHex(root) : null;
}
