/** A claimed name as markdown. */

import { quotedName } from "../core/text_form.ts";
import { counted } from "../../views/text.ts";
import type { NameLookup } from "./schema.ts";

export const nameMarkdown = (lookup: NameLookup): string =>
  [
    `# The name ${quotedName(lookup.name)}`,
    "",
    `Claimed ${lookup.since} · ${counted(lookup.acts, "act")}, the last ${lookup.last} · key changed ${lookup.key_changed}`,
    "",
    lookup.note,
    "",
  ].join("\n");
