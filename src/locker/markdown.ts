/** Slots and the index of lockers as markdown for agents: a value stands in a fence that its writer could not have foreseen. */

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
    // Whoever wrote it may have read an earlier mark: each value has its own.
    fenced(slot.value, slot.value),
    "",
  ].join("\n");

/** A slot as its owner reads it. */
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
