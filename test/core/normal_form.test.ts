/** Texts that are expensive to normalise: marks in the wrong order, which take the square of their number to sort. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { tossIn } from "../../src/beacon/words.ts";
import { ClaimName, customFault } from "../../src/core/fields.ts";
import { excerptsAround, partsFor, plainWord, speakerNameFault, normalForm } from "../../src/core/text.ts";
import { canonicalName } from "../../src/names/canonical.ts";
import { normalPath } from "../../src/rooms/leases/paths.ts";
import { mentionsIn } from "../../src/rooms/mentioned_names.ts";

/** Sorting these marks would take an hour. */
const marks = "\u0301".repeat(1_500_000) + "\u0316".repeat(1_500_000);
const word = `a${marks}`;

test.each([
  ["the canonical form of a name", () => canonicalName(word)],
  ["the check of a name to claim", () => customFault(ClaimName({ description: "", maxLength: 64 }), word)],
  ["the check of a speaker's name", () => speakerNameFault(word)],
  ["the mentions of a text", () => mentionsIn(`@${word}`, canonicalName)],
  ["an excerpt for a search", () => excerptsAround(["a"], 100)(`x ${word}`)],
  ["the marks of what a search found", () => partsFor("a")(word)],
  ["a path of a lease", () => normalPath(word)],
  ["the line of a toss", () => expect(() => tossIn(`toss 29539442: ${word}`)).toThrow("more than 200")],
])("%s takes a time that grows with its length alone", (_what, run) => {
  run();
});

test("marks between which letters stand that become marks take no more", () => {
  canonicalName(
    `a${`${"\u0301".repeat(98)}\uff9e`.repeat(15_000)}${`${"\u05b0".repeat(98)}\uff9f`.repeat(15_000)}`,
  );
});

test("a text with no more marks in a row than a name has characters is normalised", () => {
  const mixed = fc.string({
    unit: fc.constantFrom("a", "ä", "\u0301", "\u0316", "한", "ᄒ", "ﬁ"),
    maxLength: 100,
  });
  fc.assert(
    fc.property(mixed, fc.constantFrom("NFC" as const, "NFKC" as const), (text, form) => {
      expect(normalForm(text, form)).toBe(text.normalize(form));
    }),
  );
});

test("a word for a search is decomposed, and has no marks", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 30 });
  const marked = fc.string({
    unit: fc.constantFrom("a", "Ä", "\u0301", "\u0316", "ệ", "が", "\u0344"),
    maxLength: 30,
  });
  fc.assert(
    fc.property(fc.oneof(text, marked), (given) => {
      expect(plainWord(given)).toBe(
        given
          .normalize("NFD")
          .replace(/\p{M}+/gu, "")
          .toLowerCase(),
      );
    }),
  );
});
