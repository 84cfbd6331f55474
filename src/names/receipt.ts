/** What acts on names earn: the contents of their receipts. */

import type { ReceiptSource } from "../receipts/receipts.ts";
import type { NameRecord } from "./presenters.ts";

/** For whoever claimed the name: the hash is of the name as it was claimed. */
export const claimed = (record: NameRecord): ReceiptSource => ({
  act: "name.claim",
  ref: record.canonical,
  where: `/api/name/${encodeURIComponent(record.name)}`,
  at: record.created,
  name: record.name,
  name_claimed: true,
  text: record.name,
});
