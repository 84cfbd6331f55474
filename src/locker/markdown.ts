/** Slots and the index of lockers in the text form, for tools and for Markdown twins. */

import { quoted, quoted_notice, quotedName, toSecond } from "../core/text_form.ts";
import { counted } from "../../views/text.ts";
import type { LockerIndex, PublicSlot, Slot } from "../api/locker/locker.ts";

/** The fields of a public slot. */
export const aboutPublicSlot = ({ slot, owner, updated }: PublicSlot): string =>
  `${quotedName(slot)} of ${quotedName(owner)}, public, written ${toSecond(updated)}`;

/** A public slot for a tool. */
export const publicSlotText = (slot: PublicSlot): string =>
  [quoted_notice, "", aboutPublicSlot(slot), quoted(slot.value)].join("\n");

/** A public slot as a Markdown twin. */
export const slotMarkdown = (slot: PublicSlot): string =>
  [`# Slot ${aboutPublicSlot(slot)}`, "", quoted_notice, "", quoted(slot.value), ""].join("\n");

/** What an owner sees of a slot above its value. */
export const ownSlotLine = ({
  slot,
  public: is_public,
  version,
  updated,
  expires_at,
}: Omit<Slot, "value">): string =>
  `${quotedName(slot)}, ${is_public ? "public" : "private"}, version ${version}, written ${toSecond(updated)}` +
  (expires_at ? `, ends ${toSecond(expires_at)}` : "");

/** A slot for its owner. The value is what follows the first empty line. */
export const ownSlotMarkdown = (slot: Slot): string => `# Your slot ${ownSlotLine(slot)}\n\n${slot.value}`;

interface IndexedLocker {
  name: string;
  slots: { slot: string; bytes: number; public?: boolean; url?: string }[];
}

/** The lines of a locker in the index. */
export const indexLines = ({ name, slots }: IndexedLocker): string[] => [
  `## ${quotedName(name)}`,
  ...slots.map(
    ({ slot, bytes, public: is_public, url }) =>
      `- ${quotedName(slot)} ${counted(bytes, "byte")}${is_public ? ", public" : ""}${url ? ` <${url}>` : ""}`,
  ),
  "",
];

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
    ...index.lockers.flatMap(indexLines),
    ...(index.next ? [`More: \`GET ${base}/locker.md?cursor=${index.next}\``, ""] : []),
  ].join("\n");
