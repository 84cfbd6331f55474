/** What the list of the receipts of a name is made of. Loaded at the first list, so that the service does not start later because of it. */

import { createJobReceipts } from "../jobs/receipt_lists.ts";
import { claimedSince } from "../names/commands.ts";
import { claim_receipts } from "../names/receipt.ts";
import { createReceiptList, type ReceiptList } from "../receipts/listed.ts";
import type { Receipts } from "../receipts/receipts.ts";
import { createAuthoredReceipts } from "../rooms/authored/receipts.ts";
import type { AppStorage } from "./storage.ts";

export const nameReceipts = (storage: AppStorage, receipts: Receipts): ReceiptList =>
  // Writes of the same time are in this order: a name is claimed before it opens a room.
  createReceiptList(receipts, [
    ...createJobReceipts(storage),
    ...createAuthoredReceipts({ storage, claimedSince }),
    claim_receipts,
  ]);
