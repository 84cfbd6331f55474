/** When two spellings are one name. A pure rule. */

/** Spellings that must not be told apart by readers share one canonical form; it is what a claim is unique on. */
export function canonicalName(name: string): string {
  return (
    name
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[ ._-]+/g, "-")
      // No claimed name begins or ends with one, but whoever speaks may put one there.
      .replace(/^-|-$/g, "")
      .replaceAll("0", "o")
      .replaceAll("1", "l")
  );
}
