/** Merkle trees (RFC 6962, section 2.1): one root for all commitments of a day. */

const hash_bytes = 32;

type Bytes = Uint8Array<ArrayBuffer>;

/** The levels of a tree from the leaves to the root. Each is a sequence of 32-byte hashes. */
export type Tree = Bytes[];

/** The tree over `leaves`, each 32 bytes: a leaf is SHA-256(0x00 ‖ leaf), a node SHA-256(0x01 ‖ left ‖ right). */
export function treeOf(leaves: Uint8Array[]): Tree {
  const bottom = new Uint8Array(leaves.length * hash_bytes);
  const leaf = new Uint8Array(1 + hash_bytes);
  leaves.forEach((bytes, i) => {
    leaf.set(bytes, 1);
    Bun.SHA256.hash(leaf, at(bottom, i));
  });
  const tree = [bottom];
  while (tree.at(-1)!.length > hash_bytes) tree.push(levelAbove(tree.at(-1)!));
  return tree;
}

const at = (level: Bytes, i: number): Bytes => level.subarray(i * hash_bytes, (i + 1) * hash_bytes);

/** Hashes pairs from the left. A hash without a partner moves up, which equals RFC 6962's split at a power of two. */
function levelAbove(level: Bytes): Bytes {
  const count = level.length / hash_bytes;
  const above = new Uint8Array(Math.ceil(count / 2) * hash_bytes);
  const node = new Uint8Array(1 + 2 * hash_bytes);
  node[0] = 1;
  for (let i = 0; i + 1 < count; i += 2) {
    node.set(level.subarray(i * hash_bytes, (i + 2) * hash_bytes), 1);
    Bun.SHA256.hash(node, at(above, i / 2));
  }
  if (count % 2 === 1) above.set(at(level, count - 1), above.length - hash_bytes);
  return above;
}

export const rootOf = (tree: Tree): string => tree.at(-1)!.toHex();

/** The audit path of leaf `index` (RFC 6962, section 2.1.1): the sibling hashes from the leaf to the root, in hex. */
export function pathOf(tree: Tree, index: number): string[] {
  const path: string[] = [];
  for (const level of tree.slice(0, -1)) {
    const sibling = index ^ 1;
    if (sibling * hash_bytes < level.length) path.push(at(level, sibling).toHex());
    index >>= 1;
  }
  return path;
}
