/** Excerpts of texts around the words of a search. */

import { describe, expect, test } from "bun:test";
import { codePoints, cutAround, excerptsAround, plainWord, searchTerms } from "../../src/core/text.ts";
import { testRandom } from "../support/seed.ts";

/** The first place of a text in one line after which, within `span`, there are the most of the terms: slow, and simple. */
function bestPlace(text: string, terms: string[], span: number): number {
  const wanted = new Set(terms.map(plainWord));
  let index = 0;
  const found = searchTerms(text).flatMap((term) => {
    const at = text.indexOf(term, index);
    index = at + term.length;
    return wanted.has(plainWord(term)) ? [{ at, word: plainWord(term) }] : [];
  });
  let best = { at: 0, count: 0 };
  for (const { at } of found) {
    const near = found.filter((other) => other.at >= at - span && other.at <= at);
    const count = new Set(near.map(({ word }) => word)).size;
    if (count > best.count) best = { at: near[0]!.at, count };
  }
  return best.at;
}

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

  test("is around the first place that has the most of the words, however often they are there", () => {
    const random = testRandom("places");
    const words = ["é", "é", "zzz", "Ä", "b", "c", "longer", "."];
    const terms = ["É", "zzz", "a", "b"];
    for (let i = 0; i < 2_000; i++) {
      const text = Array.from({ length: random.below(60) }, () => random.oneOf(words)).join(" ");
      expect(excerptsAround(terms, 30)(text)).toBe(cutAround(text, bestPlace(text, terms, 15), 30));
    }
  });
});
