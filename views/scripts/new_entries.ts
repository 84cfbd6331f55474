/** How many entries of a list are new. */

/**
 * How many of `fresh` are not among `known`. Entries after the last known one do not count: they come from the next page,
 * because one of this page has gone.
 */
export function countNew(known: string[], fresh: string[]): number {
  const before = new Set(known);
  const end = known.length === 0 ? fresh.length : fresh.findLastIndex((entry) => before.has(entry));
  return fresh.slice(0, Math.max(end, 0)).filter((entry) => !before.has(entry)).length;
}
