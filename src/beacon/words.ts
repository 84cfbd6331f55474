/**
 * The words of a toss: what it is about, and what heads and tails mean. They are one text, the label. The label is part of what
 * is hashed, so a toss with other words is another toss: nobody can exchange the meanings once both have agreed.
 */

import type { TossWords } from "../api/beacon/pages.ts";

/** `Who pays for lunch; heads: Ann; tails: Bob`. A semicolon in a meaning becomes a comma, as semicolons end meanings. */
export function labelOf({ about, heads, tails }: TossWords): string {
  const meaning = (side: string, text = "") => {
    const meant = partsOf(text).join(", ");
    return meant === "" ? [] : [`${side}: ${meant}`];
  };
  return [
    ...(about.trim() ? [about.trim()] : []),
    ...meaning("heads", heads),
    ...meaning("tails", tails),
  ].join("; ");
}

const partsOf = (text: string): string[] => text.split(";").flatMap((part) => part.trim() || []);

const label_of_coin =
  /^(?<about>.*?)(?:(?:^|; )heads: (?<heads>[^;]+))?(?:(?:^|; )tails: (?<tails>[^;]+))?$/s;
const another_meaning = /\b(?:heads|tails)\s*[:=：]/i;

/** The words of a label. A label that gives a side two meanings is shown as it is: it has no meanings. */
export function wordsOf(label: string): TossWords {
  const { about = label, heads, tails } = label_of_coin.exec(label)?.groups ?? {};
  const is_clear = [about, heads, tails].every((text = "") => !another_meaning.test(text));
  return is_clear ? { about, heads, tails } : { about: label };
}
