/** Which names can be claimed: letters, marks and digits of one script or of a combination that UTS 39 permits. */

import { identifier_characters } from "./identifier_characters.ts";
import { speakerNameFault } from "./text.ts";

const ascii_name = /^[A-Za-z0-9](?:[A-Za-z0-9 ._-]*[A-Za-z0-9])?$/;

// A mark is on a letter, and a separator between letters and digits. Beyond ASCII this allows more than can be claimed.
const inner = "[^\\x00-\\x1f!-,/:-@[-^`{-\\xbf]";
const outer = "[^\\x00-/:-@[-`{-\\xbf]";
/** A pattern that all names match that can be claimed (ECMA-262, with or without the flag u), and some others beyond ASCII. */
export const claim_name_pattern = `^${outer}(?:${inner}*${outer})?$`;

const name_characters = /[^\p{L}\p{M}\p{Nd} ._-]/u;
const shape = /^(?:\p{Nd}|\p{L}\p{M}*)+(?:[ ._-]+(?:\p{Nd}|\p{L}\p{M}*)+)*$/u;

/** A value that is made at its first use: most instances see no name beyond ASCII. */
function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

const unusual_characters = lazily(() => {
  const ranges = identifier_characters.join(" ").replace(/[0-9a-f]+/g, "\\u{$&}");
  return new RegExp(`[^A-Za-z0-9 ._${ranges.replaceAll(" ", "")}-]`, "u");
});

/** Scripts in general use (UAX 31, table 5). Bopomofo is none since Unicode 17, so there is no combination with it. */
const scripts = [
  ...["Arab", "Armn", "Beng", "Cyrl", "Deva", "Ethi", "Geor", "Grek", "Gujr", "Guru", "Hang", "Hani"],
  ...["Hebr", "Hira", "Kana", "Khmr", "Knda", "Laoo", "Latn", "Mlym", "Mymr", "Orya", "Sinh", "Taml", "Telu"],
  ...["Thaa", "Thai", "Tibt"],
];
/** Combinations of them that the level "highly restrictive" permits (UTS 39, section 5.2). */
const combinations = [
  ["Latn", "Hani", "Hira", "Kana"],
  ["Latn", "Hani", "Hang"],
];
const of_one_script = lazily(() =>
  [...scripts.map((script) => [script]), ...combinations].map((set) => {
    const characters = [...set, "Zyyy", "Zinh"].map((script) => `\\p{scx=${script}}`).join("");
    return new RegExp(`^[${characters}]+$`, "u");
  }),
);

/** In a decomposed name: more than 4 nonspacing marks in a row, or the same twice (UTS 39, section 5.4). */
const heaped_marks = /[\p{Mn}\p{Me}]{5}|([\p{Mn}\p{Me}])\1/u;

const from_right_to_left = /[\p{Script=Arab}\p{Script=Hebr}\p{Script=Thaa}]/u;
/** Begins with a digit, or has two numbers without a letter between them: their order depends on what stands around the name. */
const turned_numbers = /^\p{Nd}|\p{Nd}[ ._-]+\p{Nd}/u;

/** Whether the digits of a name are of several scripts (UTS 39, section 5.3). Those of a script are in one row of 16 code points. */
const mixesDigits = (name: string): boolean =>
  new Set(Array.from(name.matchAll(/\p{Nd}/gu), ([digit]) => digit.codePointAt(0)! >> 4)).size > 1;

/**
 * Why a name cannot be claimed as far as its characters say, or null. Every name that can be claimed is also a valid name of a
 * speaker once it is in normalisation form C.
 */
export function claimNameFault(text: string): string | null {
  if (ascii_name.test(text)) return speakerNameFault(text);
  const name = text.normalize("NFC");
  const at = placesOf(name, name_characters);
  if (at !== "" || !shape.test(name))
    return (
      "may hold letters, their marks, digits, space, dot, dash and underscore, and begins and ends with a letter or digit" +
      (at === "" ? "" : `: look at ${at}`)
    );
  return speakerNameFault(name) ?? scriptFault(name);
}

function scriptFault(name: string): string | null {
  const unusual = placesOf(name, unusual_characters());
  if (unusual !== "")
    return `may hold only characters that UTS 39 allows in identifiers, no historic or technical ones: look at ${unusual}`;
  if (!of_one_script().some((script) => script.test(name)))
    return "mixes scripts: write it in one, or in Latin with Chinese, Japanese or Korean";
  if (mixesDigits(name)) return "mixes digits of several scripts: use those of one";
  if (heaped_marks.test(name.normalize("NFD")))
    return "has more than 4 marks on a letter, or the same mark twice";
  if (from_right_to_left.test(name) && turned_numbers.test(name))
    return "is written from right to left: begin it with a letter, and put a letter between two numbers";
  return null;
}

/** The positions of the first characters that match, in code points from 0; empty if none does. */
const placesOf = (name: string, characters: RegExp): string =>
  Array.from(name)
    .flatMap((char, at) => (characters.test(char) ? [`${at}`] : []))
    .slice(0, 5)
    .join(", ");
