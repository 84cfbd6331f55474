/**
 * Writes src/names/confusables.ts and src/core/identifier_characters.ts from two files of Unicode's folder `security`, which is the
 * only argument: confusables.txt and IdentifierStatus.txt (UTS 39). They are at https://www.unicode.org/Public/security/, and in
 * unicodetools/data/security of https://github.com/unicode-org/unicodetools. How the names that are claimed look is stored
 * (`names.look`): after a change of src/names/confusables.ts it must be computed again.
 */

import { join } from "node:path";

const folder = process.argv[2]!;
const textOf = (name: string): Promise<string> => Bun.file(join(folder, name)).text();
const [confusables, identifiers] = [await textOf("confusables.txt"), await textOf("IdentifierStatus.txt")];
const [, version] = /^# Version: (\S+)/m.exec(confusables)!;
const origin = (file: string): string =>
  `Of the file ${file} of\n * Unicode ${version} (https://www.unicode.org/Public/security/), Copyright Unicode, Inc., Unicode License v3\n` +
  " * (https://www.unicode.org/license.txt). Made by scripts/unicode.ts.";
const charOf = (hex: string): string => String.fromCodePoint(Number.parseInt(hex, 16));

/** Lines of at most `chars_max` characters, each a string in a list of TypeScript. */
function linesOf(parts: readonly string[], chars_max = 400): string {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length < chars_max)
      lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(part);
  }
  return lines.map((line) => `  ${JSON.stringify(line)},`).join("\n");
}

const sources = new Map<string, string[]>();
for (const [, source, prototype] of confusables.matchAll(/^([0-9A-F]+) ;\t([0-9A-F ]+?) ;\tMA/gm)) {
  // The text is decomposed before it is looked up (UTS 39, section 4).
  if (charOf(source!).normalize("NFD") !== charOf(source!)) continue;
  const key = prototype!.toLowerCase().replaceAll(" ", "+");
  sources.set(key, [...(sources.get(key) ?? []), source!.toLowerCase()]);
}
const groups = [...sources].map(([prototype, from]) => `${prototype}=${from.join(",")}`).toSorted();
await Bun.write(
  join(import.meta.dir, "../src/names/confusables.ts"),
  `/**
 * Characters that look like others: each prototype with its sources, as code points in hex, \`a+b=c,d\`. ${origin("confusables.txt")}
 */

export const confusables: readonly string[] = [
${linesOf(groups)}
];
`,
);

const ranges: [first: number, last: number][] = [];
for (const [, from, to = from] of identifiers.matchAll(/^([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*Allowed/gm)) {
  for (let code = Number.parseInt(from!, 16); code <= Number.parseInt(to!, 16); code++) {
    if (code < 0x80 || !/[\p{L}\p{M}\p{Nd}]/u.test(String.fromCodePoint(code))) continue;
    const last = ranges.at(-1);
    if (last?.[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
}
const rangeText = ([first, last]: (typeof ranges)[number]): string =>
  first === last ? first.toString(16) : `${first.toString(16)}-${last.toString(16)}`;
await Bun.write(
  join(import.meta.dir, "../src/core/identifier_characters.ts"),
  `/**
 * Letters, marks and digits beyond ASCII that identifiers may have (Identifier_Status=Allowed), as code points in hex. ${origin("IdentifierStatus.txt")}
 */

export const identifier_characters: readonly string[] = [
${linesOf(ranges.map(rangeText))}
];
`,
);
