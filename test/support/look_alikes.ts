/** Names that look alike: pairs made of confusables.txt, the same ones in each run, and known attacks. */

import { claimNameFault } from "../../src/core/claim_names.ts";
import { confusables } from "../../src/names/confusables.ts";
import { randomFrom } from "./seed.ts";

export type Pair = readonly [one: string, other: string];

const textOf = (hexes: string): string =>
  String.fromCodePoint(...hexes.split("+").map((hex) => Number.parseInt(hex, 16)));

/** Each character of confusables.txt that a decomposed text can have, with its prototype. */
export const confusableCharacters = (): Pair[] =>
  confusables.flatMap((line) =>
    line.split(" ").flatMap((group) => {
      const [prototype, sources] = group.split("=") as [string, string];
      return sources.split(",").map((source): Pair => [textOf(source), textOf(prototype)]);
    }),
  );

const scripts = [
  ...["Arab", "Armn", "Beng", "Cyrl", "Deva", "Ethi", "Geor", "Grek", "Gujr", "Guru", "Hang", "Hani", "Hebr"],
  ...["Hira", "Kana", "Khmr", "Knda", "Laoo", "Latn", "Mlym", "Mymr", "Orya", "Sinh", "Taml", "Telu", "Thaa"],
  ...["Thai", "Tibt"],
];
const is_from_right: ReadonlySet<string> = new Set(["Arab", "Hebr", "Thaa"]);
const ascii = /^[ -~]*$/;

/** Letters of a script that a name can have, by their prototypes. */
function lettersOf(script: string): Map<string, string[]> {
  const of_script = new RegExp(`^\\p{scx=${script}}$`, "u");
  const known = confusableCharacters();
  const prototypes = known.map(([, prototype]): Pair => [prototype, prototype]);
  const fits = ([char]: Pair) =>
    of_script.test(char) && /^\p{L}$/u.test(char) && claimNameFault(char) === null;
  const letters = new Map(Map.groupBy([...known, ...prototypes].filter(fits), ([, prototype]) => prototype));
  return new Map(
    Array.from(letters, ([prototype, all]) => [prototype, [...new Set(all.map(([char]) => char))]]),
  );
}

/**
 * `count` pairs: names of two scripts that look alike as a whole, and of one script that differ in one letter. Each can be claimed if
 * the other does not exist. No name looks like that of another pair.
 */
export function pairsAcrossScripts(count: number): Pair[] {
  const random = randomFrom(39);
  const letters = new Map(scripts.map((script) => [script, lettersOf(script)]));
  const prototypes = new Map(confusableCharacters());
  const taken = new Set<string>();
  const pairs: Pair[] = [];
  const wordOf = (script: string, chars: string[]) =>
    (is_from_right.has(script) ? chars.toReversed() : chars).join("");
  /** Adds a pair of words of these scripts, given as they are shown from left to right. */
  const add = (one: [script: string, chars: string[]], other: [script: string, chars: string[]]): void => {
    const pair: Pair = [wordOf(...one), wordOf(...other)];
    if (pair[0] === pair[1] || pair.every((name) => ascii.test(name))) return;
    if (pair.some((name) => claimNameFault(name) !== null)) return;
    // The forms by which names of different pairs could be one.
    const shown = [one, other].map(([, chars]) => chars.map((char) => prototypes.get(char) ?? char).join(""));
    const forms = [...pair, ...shown].map((name) =>
      name.toUpperCase().toLowerCase().replaceAll("i", "l").replaceAll("m", "rn").replaceAll("0", "o"),
    );
    if (forms.some((form) => taken.has(form))) return;
    for (const form of forms) taken.add(form);
    pairs.push(pair);
  };

  // Each two letters of a script that look alike, between others of the script.
  for (const [script, by_prototype] of letters) {
    const all = [...by_prototype.values()].flat();
    for (const [one, ...others] of by_prototype.values()) {
      for (const other of others) {
        const around = Array.from({ length: 4 }, () => random.oneOf(all));
        add([script, around.with(2, one!)], [script, around.with(2, other)]);
      }
    }
  }
  const across = scripts.flatMap((one, i) =>
    scripts.slice(i + 1).flatMap((other) => {
      const shared = [...letters.get(one)!.keys()].filter((prototype) => letters.get(other)!.has(prototype));
      return shared.length > 0 ? [{ one, other, shared }] : [];
    }),
  );
  // Scripts with a few letters in common make few words, so those with many fill the list.
  for (let round = 0; pairs.length < count; round++) {
    for (const { one, other, shared } of across.filter((both) => both.shared.length >= 8 || round < 8)) {
      const of_word = Array.from({ length: 3 + random.below(5) }, () => random.oneOf(shared));
      const charsOf = (script: string) =>
        of_word.map((prototype) => random.oneOf(letters.get(script)!.get(prototype)!));
      add([one, charsOf(one)], [other, charsOf(other)]);
    }
  }
  return pairs.slice(0, count);
}

/** Attacks that are known, and names of people that look like others. */
export const known_attacks: Pair[] = [
  ["раураӏ", "paypal"],
  ["аррӏе", "apple"],
  ["еріс", "epic"],
  ["ѕсоре", "scope"],
  ["Сара", "Capa"],
  ["сор", "cop"],
  ["Рор", "Pop"],
  ["МАХ", "MAX"],
  ["ТОМ", "TOM"],
  ["Нор", "Hop"],
  ["ΑΝΝΑ", "ANNA"],
  ["ΝΙΚΟ", "NIKO"],
  ["ΕΜΜΑ", "EMMA"],
  ["ΑΤΟΜ", "АТОМ"],
  ["ΒΕΡΑ", "ВЕРА"],
  ["οσο", "ооо"],
  ["օօս", "oou"],
  ["סוס", "olo"],
  ["Yıldız", "Yildiz"],
  ["Işık", "Işik"],
  ["İvan", "Ivan"],
  ["i\u0307da", "ida"],
  ["Straße", "STRASSE"],
  ["Νίκος", "ΝΊΚΟΣ"],
  ["Μάρκος", "Μάρκοσ"],
  ["Ünal", "ÜNAL"],
  ["Özil", "O\u0308zil"],
  ["ǎda", "ăda"],
  ["Ionuş", "Ionuș"],
  ["ハニ子", "ハ二子"],
  ["力士", "カ士"],
  ["ヘルパ", "へルパ"],
  ["タ方", "夕方"],
  ["ローマ", "ロ一マ"],
  ["工場", "エ場"],
  ["トト", "卜卜"],
  ["علي", "على"],
  ["كمال", "ڪمال"],
  ["Œuvre", "Oeuvre"],
  ["Дарья", "дарья"],
  ["Дарья 10", "дарья-1о"],
  ["김 하늘", "김-하늘"],
];
