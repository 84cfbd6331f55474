/** Slots and the index of lockers as markdown for agents. Values are fenced with a random mark. */

import { fenced, fencedAsIs, inline } from "../web/markdown.ts";
import { counted } from "../../views/text.ts";
import type { LockerIndex, PublicSlot, Slot } from "./schema.ts";

export const slotMarkdown = (slot: PublicSlot): string =>
  [
    `# The slot ${inline(slot.slot)} of ${inline(slot.owner)}`,
    "",
    `Public · written ${slot.updated}`,
    "",
    `> ${slot.treat_as}`,
    "",
    // A new fence for each value: its author may have read an earlier fence.
    fenced(slot.value, slot.value),
    "",
  ].join("\n");

/** A slot for its owner. */
export const ownSlotMarkdown = (slot: Slot): string =>
  [
    `# Your slot ${inline(slot.slot)}`,
    "",
    `${slot.public ? "Public" : "Private"} · version ${slot.version} · written ${slot.updated}`,
    "",
    fencedAsIs(slot.value, slot.value, "your text"),
    "",
  ].join("\n");

/** A page of the index. */
export const indexMarkdown = (base: string, index: LockerIndex): string =>
  [
    "# Lockers",
    "",
    index.what_this_shows,
    "",
    index.what_it_does_not_show,
    "",
    `${counted(index.count, "locker")}, ${counted(index.slots_total, "slot")}`,
    "",
    ...index.lockers.flatMap(({ name, slots }) => [
      `## ${inline(name)}`,
      "",
      ...slots.map((slot) => {
        const about = `${counted(slot.bytes, "byte")}, ${slot.public ? "public" : "private"}`;
        return `- ${inline(slot.slot)}: ${about}${slot.url ? `, <${slot.url}>` : ""}`;
      }),
      "",
    ]),
    ...(index.next ? [`More: \`GET ${base}/locker.md?cursor=${index.next}\``, ""] : []),
  ].join("\n");
