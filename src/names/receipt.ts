/** The contents of the receipts of names. */

import type { ReceiptSource } from "../receipts/receipts.ts";
import type { NameRecord } from "./representations.ts";

/** The receipt of a claim. It has the hash of the name in the claimed spelling. */
export const claimed = (record: NameRecord): ReceiptSource => ({
  act: "name.claim",
  ref: record.canonical,
  where: `/api/name/${encodeURIComponent(record.name)}`,
  at: record.created,
  name: record.name,
  name_claimed: true,
  text: record.name,
});
