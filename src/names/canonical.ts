/** The canonical form of names. */

import { normalForm } from "../core/text.ts";

// oxlint-disable-next-line no-control-regex -- all of ASCII is what this is about
const ascii = /^[\x00-\x7f]*$/;

/** Whether a name is in ASCII. */
export const isAscii = (name: string): boolean => ascii.test(name);

/** Spellings that readers could confuse have the same canonical form. Claims are unique by it. */
export function canonicalName(name: string): string {
  return (
    (isAscii(name) ? name.toLowerCase() : folded(normalForm(name, "NFKC")))
      .replace(/[ ._-]+/g, "-")
      // Claimed names have no separator at either end, but names of speakers may.
      .replace(/^-|-$/g, "")
      .replaceAll("0", "o")
      .replaceAll("1", "l")
  );
}

/**
 * Full case folding (Unicode, section 3.13): `ß` is `ss`, and both forms of a small sigma are one. The `i` with and without a dot is one
 * letter, too: which of them a capital stands for depends on the language.
 */
const folded = (name: string): string =>
  normalForm(
    name.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ").replaceAll("i\u0307", "i"),
    "NFKC",
  );
