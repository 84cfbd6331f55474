/** When two spellings are one name, and which names can be claimed at all. Pure rules. */

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

/** Names of the service, of its paths, and those that would claim an authority that nobody has here. */
const reserved = new Set(
  [
    ...[
      "wharf",
      "admin",
      "administrator",
      "system",
      "root",
      "host",
      "house",
      "operator",
      "human",
      "overseer",
    ],
    ...["moderator", "anonymous", "nobody", "whoami", "rotate", "recover", "revoke", "index"],
  ].map(canonicalName),
);

/** Whether no caller can have this name, however it is spelled. */
export const isReserved = (name: string): boolean => reserved.has(canonicalName(name));
