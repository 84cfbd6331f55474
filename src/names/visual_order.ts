/**
 * Names in the order in which they are shown, from left to right (UAX 9, for a line from left to right without embeddings): what differs
 * in the order of its characters can look the same.
 */

const right_to_left = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Letters of Hebrew and Arabic for old systems, some of them several in one character. */
const ligatures = /[\ufb1d-\ufdff\ufe70-\ufeff]/gu;

/** How a character takes part: letters L and R, digits E (European) and A (Arabic, or behind an Arabic letter), marks M, separators of numbers S, others N. */
type Kind = "L" | "R" | "E" | "A" | "M" | "S" | "N";

function kindOf(char: string): Kind {
  if (/\p{M}/u.test(char)) return "M";
  if (/[0-9\u06f0-\u06f9]/.test(char)) return "E";
  if (/[\u0660-\u0669]/.test(char)) return "A";
  if (/[-+.,:/]/.test(char)) return "S";
  if (right_to_left.test(char)) return "R";
  return /[\p{L}\p{Nd}]/u.test(char) ? "L" : "N";
}

const arabic = /[\p{Script=Arab}\p{Script=Syrc}\p{Script=Thaa}]/u;

/** The name in the order in which it is shown. Marks stay behind their letters. */
export function visualOrder(name: string): string {
  if (!right_to_left.test(name)) return name;
  const plain = name.replace(ligatures, (char) => char.normalize("NFKC"));
  // A letter with its marks is moved as one (rules W1 and L3).
  const clusters = plain.match(/.\p{M}*/gsu) ?? [];
  const levels = levelsOf(clusters);
  // The inner runs first (rule L2).
  for (const level of [2, 1]) {
    for (let from = 0; from < clusters.length; from++) {
      let to = from;
      while (to < clusters.length && levels[to]! >= level) to++;
      if (to - from < 2) continue;
      clusters.splice(from, to - from, ...clusters.slice(from, to).toReversed());
      levels.splice(from, to - from, ...levels.slice(from, to).toReversed());
      from = to;
    }
  }
  return clusters.join("");
}

/** The level of each cluster: 0 from left to right, 1 from right to left, 2 for a number. */
function levelsOf(clusters: readonly string[]): number[] {
  const kinds = clusters.map((cluster) => kindOf(cluster[0]!));
  let letter: Kind = "L";
  let is_arabic = false;
  for (const [i, kind] of kinds.entries()) {
    if (kind === "L" || kind === "R") {
      letter = kind;
      is_arabic = arabic.test(clusters[i]!);
    }
    // Rules W2 and W7.
    if (kind === "E") kinds[i] = letter === "L" ? "L" : is_arabic ? "A" : "E";
  }
  // A single separator between numbers belongs to them (rule W4).
  for (let i = 1; i < kinds.length - 1; i++) {
    if (kinds[i] === "S" && kinds[i - 1] === "E" && kinds[i + 1] === "E") kinds[i] = "E";
  }
  return kinds.map((kind, i) => {
    if (kind === "E" || kind === "A") return 2;
    if (kind === "L" || kind === "R") return kind === "R" ? 1 : 0;
    // Between two parts from right to left, to which numbers count, others are so, too (rules N1 and N2).
    const before = kinds.slice(0, i).findLast(isStrong) ?? "L";
    const after = kinds.slice(i + 1).find(isStrong) ?? "L";
    return before !== "L" && after !== "L" ? 1 : 0;
  });
}

const isStrong = (kind: Kind): boolean => "LREA".includes(kind);
