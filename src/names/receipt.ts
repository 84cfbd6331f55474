/** The contents of the receipts of names. */

import type { ReceiptSource } from "../receipts/receipts.ts";
import type { ReceiptStream } from "../receipts/listed.ts";
import type { ClaimedName } from "../discovery/feature.ts";

/** The receipt of a claim. It has the hash of the name in the claimed spelling. */
export const claimed = (record: ClaimedName): ReceiptSource => ({
  act: "name.claim",
  ref: record.canonical,
  where: `/api/name/${encodeURIComponent(record.name)}`,
  at: record.created,
  name: record.name,
  name_claimed: true,
  text: record.name,
});

/** The receipt of the claim, in the list of the receipts of a name. */
export const claim_receipts: ReceiptStream = {
  kind: "names",
  async read(record, [at, seq]) {
    const { name, created } = record;
    if (created > at || (created === at && seq <= 1)) return [];
    const path = `/name/${encodeURIComponent(name)}`;
    return [{ position: [created, 1], receipt: { source: claimed(record), title: name, path } }];
  },
};
