/** The text results of the locker tools: the structured results in the text form. */

import { quotedName, treat_as } from "../../core/text_form.ts";
import { indexLines, ownSlotLine } from "../markdown.ts";
import type { LeanIndex, LeanLocker } from "../../api/locker/locker.ts";

export const lockerText = ({ name, slots, used_bytes, next_cursor }: LeanLocker): string =>
  [
    `${quotedName(name)}: ${slots.length} slots, ${used_bytes} bytes used`,
    ...slots.map(
      (slot) => `- ${ownSlotLine({ ...slot, public: slot.public ?? false })}, ${slot.bytes} bytes`,
    ),
    ...(next_cursor ? [`next_cursor: ${next_cursor}`] : []),
  ].join("\n");

export const indexText = ({ lockers, next_cursor }: LeanIndex): string =>
  [
    `Names of lockers and slots: ${treat_as}.`,
    "",
    ...lockers.flatMap(indexLines),
    ...(next_cursor ? [`next_cursor: ${next_cursor}`] : []),
  ].join("\n");
