/**
 * Writes src/names/confusables.ts from a copy of Unicode's confusables.txt (UTS 39, section 4), the only argument. Takes the
 * mappings to the ASCII characters of claimed names: letters, digits, space, dot, dash and underscore.
 */

import { join } from "node:path";

const [file, version] = process.argv.slice(2) as [string, string];
const sources = new Map<string, string[]>();
for (const line of (await Bun.file(file).text()).split("\n")) {
  const mapping = /^([0-9A-F]+) ;\t([0-9A-F ]+?) ;\tMA/.exec(line);
  if (!mapping) continue;
  const prototype = String.fromCodePoint(...mapping[2]!.split(" ").map((hex) => Number.parseInt(hex, 16)));
  if (!/^[A-Za-z0-9 ._-]+$/.test(prototype)) continue;
  sources.set(prototype, [...(sources.get(prototype) ?? []), mapping[1]!.toLowerCase()]);
}
const rows = [...sources].sort(([a], [b]) => (a < b ? -1 : 1));
const text = `/**
 * Characters that look like ASCII ones: the sources of each prototype, as code points in hex. Of the file confusables.txt of
 * Unicode ${version} (https://www.unicode.org/Public/security/), Copyright Unicode, Inc., Unicode License v3
 * (https://www.unicode.org/license.txt). Made by scripts/confusables.ts.
 */

export const confusables: Record<string, string> = {
${rows.map(([prototype, from]) => `  ${JSON.stringify(prototype)}: "${from.join(" ")}",`).join("\n")}
};
`;
await Bun.write(join(import.meta.dir, "../src/names/confusables.ts"), text);
