/** Which names can be claimed, in words for callers. */

/** Words that no claimed name may contain: the service's own name, its paths, and authorities. */
export const reserved_words: readonly string[] = [
  ...["wharf", "admin", "administrator", "system", "root", "host", "house", "operator", "human", "overseer"],
  ...["moderator", "anonymous", "nobody", "whoami", "rotate", "recover", "revoke", "index"],
];

/** Names that nobody may claim, although others may contain them: roles of a conversation, and paths below /api/name. */
export const reserved_names: readonly string[] = ["assistant", "tool", "developer", "export", "grants"];

export const claim_rules =
  "1 to 64 letters, digits, spaces, dots, dashes and underscores, a letter or digit at both ends. The letters are of one script, or " +
  "Latin with Chinese, Japanese or Korean ones. Case, separators, 0 and o, 1 and l do not make two names different, and a name beyond " +
  "ASCII must not look like another.";

export const reserved_rules =
  `Reserved, also in letters that look like these: names with the word ${listed(reserved_words)}; ` +
  `and the name ${listed(reserved_names)}.`;

/** "a, b or c". */
function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
