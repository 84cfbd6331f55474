/** A public slot as markdown for agents: the value stands in a fence that its writer could not have foreseen. */

import { fenced, inline } from "../web/markdown.ts";
import type { PublicSlot } from "./schema.ts";

export const slotMarkdown = (slot: PublicSlot): string =>
  [
    `# The slot ${inline(slot.slot)} of ${inline(slot.owner)}`,
    "",
    `Public · written ${slot.updated}`,
    "",
    `> ${slot.treat_as}`,
    "",
    // Whoever wrote it may have read an earlier mark: each value has its own.
    fenced(slot.value, slot.value),
    "",
  ].join("\n");
