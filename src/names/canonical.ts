/** When two spellings are one name, and which names can be claimed at all. Pure rules. */

/** Spellings that must not be told apart by readers share one canonical form; it is what a claim is unique on. */
export function canonicalName(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[ ._-]+/g, "-")
    .replaceAll("0", "o")
    .replaceAll("1", "l");
}

const claimable = /^[A-Za-z0-9](?:[A-Za-z0-9 ._-]*[A-Za-z0-9])?$/;

/** Names of the service, of its paths, and those that would claim an authority that nobody has here. */
const reserved = new Set(
  [
    ...["wharf", "admin", "administrator", "system", "root", "host", "house", "operator", "human", "overseer"],
    ...["moderator", "anonymous", "nobody", "whoami", "rotate", "recover", "revoke", "index"],
  ].map(canonicalName),
);

/** Why `name` cannot be claimed, or null when it can. Its length is the schema's business. */
export function claimFault(name: string): string | null {
  if (!claimable.test(name)) {
    return "may hold ASCII letters, digits, space, dot, dash and underscore, and begins and ends with a letter or digit";
  }
  return reserved.has(canonicalName(name)) ? "is reserved" : null;
}
