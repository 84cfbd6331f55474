/** The canonical form of names. */

/** Spellings that readers could confuse have the same canonical form. Claims are unique by it. */
export function canonicalName(name: string): string {
  return (
    name
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[ ._-]+/g, "-")
      // Claimed names have no separator at either end, but names of speakers may.
      .replace(/^-|-$/g, "")
      .replaceAll("0", "o")
      .replaceAll("1", "l")
  );
}
