/** The words of a toss in its label: written by the form, read by the page. */

import { describe, expect, test } from "bun:test";
import { labelOf, tossIn, wordsOf } from "../../src/beacon/words.ts";

describe("labels of tosses", () => {
  test.each([
    [{ about: " Who pays for lunch " }, "Who pays for lunch"],
    [{ about: "Lunch", heads: "Ann pays", tails: "Bob pays" }, "Lunch; heads: Ann pays; tails: Bob pays"],
    [{ about: "", heads: "Ann" }, "heads: Ann"],
    [{ about: "a; b", heads: "", tails: "Bob;Eve" }, "a; b; tails: Bob, Eve"],
    [{ about: "", heads: " ; ", tails: "Bob;" }, "tails: Bob"],
    [{ about: "  " }, ""],
  ])("has what %j says", (words, label) => {
    expect(labelOf(words)).toBe(label);
  });

  test.each([
    ["Lunch; heads: Ann pays; tails: Bob pays", { about: "Lunch", heads: "Ann pays", tails: "Bob pays" }],
    ["heads: Ann; tails: Bob", { about: "", heads: "Ann", tails: "Bob" }],
    ["a; b; tails: Bob", { about: "a; b", heads: undefined, tails: "Bob" }],
    ["Heads or tails?", { about: "Heads or tails?", heads: undefined, tails: undefined }],
    ["", { about: "", heads: undefined, tails: undefined }],
    ["two\nlines; heads: Ann", { about: "two\nlines", heads: "Ann", tails: undefined }],
  ])("reads the meanings of %j", (label, words) => {
    expect(wordsOf(label)).toEqual(words);
  });

  test.each([
    "heads: Bob; heads: Ann; tails: Bob",
    "Tails: Ann; heads: Ann; tails: Bob",
    "x; heads: Ann, no, HEADS: Bob; tails: Bob",
    "heads = Bob; heads: Ann",
    "heads： Bob; tails: Bob; heads: Ann",
  ])("reads no meaning from %j, which gives a side two", (label) => {
    expect(wordsOf(label)).toEqual({ about: label });
  });
});

test("a line that picks none of the items is no toss", () => {
  expect(() => tossIn('toss 29539442 pick 0 of "Ada,Bob": Who?')).toThrow("at least 1");
  expect(tossIn('toss 29539442 pick 1 of "Ada,Bob": Who?').request).toMatchObject({ n: 1 });
});
