/** The edit distance of two words, to suggest a word after a misspelling. */

/**
 * The least number of insertions, deletions, substitutions and swaps of neighbours that turn `from` into `to`, in UTF-16
 * units (optimal string alignment distance). Its time is proportional to the product of the lengths.
 */
export function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const substituted = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, substituted);
      const is_swap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (is_swap) next[j] = Math.min(next[j]!, before[j - 2]! + 1);
    }
    before = row;
    row = next;
  }
  return row[to.length]!;
}

/** The first of the `words` with the least distance from `word`; undefined if there are none. */
export function nearestWord(word: string, words: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of words) {
    const distance = editDistance(word, candidate);
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}
