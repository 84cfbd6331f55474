/** A claimed name as markdown. */

import type { NameLookup } from "./schema.ts";

export const nameMarkdown = (lookup: NameLookup): string =>
  [
    `# The name ${lookup.name}`,
    "",
    `Claimed ${lookup.since} · ${lookup.acts} acts, the last ${lookup.last} · key changed ${lookup.key_changed}`,
    "",
    lookup.note,
    "",
  ].join("\n");
