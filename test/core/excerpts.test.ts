/** Excerpts of texts around the words of a search. */

import { describe, expect, test } from "bun:test";
import { codePoints, excerptsAround } from "../../src/core/text.ts";
import { testRandom } from "../support/seed.ts";

const before = "one two three four five six seven eight nine ten ";

describe("an excerpt", () => {
  test.each([
    ["a short text whole, in one line", " A  short\n\ttext. ", ["text"], 40, "A short text."],
    [
      "the words with what is around them",
      `${before}WORD ${before}`,
      ["word"],
      30,
      "…ten WORD one two three four…",
    ],
    ["the end", `${before}${before}word`, ["word"], 30, "…six seven eight nine ten word"],
    ["the beginning", `word ${before}`, ["word"], 20, "word one two three…"],
    ["words with marks and in other cases", `${before}CAFÉ ${before}`, ["cafe"], 20, "…ten CAFÉ one two…"],
    ["whole words alone", `swords ${before}${before}sword end`, ["sword"], 20, "…nine ten sword end"],
    [
      "the place that has the most of the words",
      `word ${before}${before}a word of theirs ${before}`,
      ["theirs", "word"],
      30,
      "…ten a word of theirs one…",
    ],
    [
      "the beginning if no word is there as it is",
      `${before}${before}`,
      ["other"],
      20,
      "one two three four…",
    ],
  ])("has %s", (_what, text, terms, chars_max, excerpt) => {
    expect(excerptsAround(terms, chars_max)(text)).toBe(excerpt);
  });

  test("of any text fits, has the word, and is whole Unicode", () => {
    const random = testRandom("excerpts");
    const parts = ["a", " ", "👩‍👩‍👧 ", "word", "\n", "long".repeat(20), "é", "क्षि ", "."];
    for (let i = 0; i < 5_000; i++) {
      const some = () => Array.from({ length: random.below(40) }, () => random.oneOf(parts)).join("");
      const text = `${some()} sought ${some()}`;
      const excerpt = excerptsAround(["sought"], 30)(text);
      expect([text, codePoints(excerpt) <= 30, excerpt.isWellFormed()]).toEqual([text, true, true]);
      expect(excerpt).toMatch(/\bsought\b/);
    }
  });
});
