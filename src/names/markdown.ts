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
    ...standingLines(lookup),
    lookup.note,
    "",
  ].join("\n");

/** What the operator decided about a name. */
const standingLines = ({ suspended, reserved }: NameLookup): string[] => [
  ...(suspended
    ? [`Suspended by the operator${suspended.until ? ` until ${suspended.until}` : ""}.`, ""]
    : []),
  ...(reserved ? ["Reserved by the operator: nobody else can claim it.", ""] : []),
];
