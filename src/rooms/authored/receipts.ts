/** The receipts of a claimed name for the rooms that it opened and for its posts, in public and unlisted rooms. */

import type { FeatureStorage } from "../../core/commands.ts";
import type { ReceiptSource } from "../../receipts/receipts.ts";
import type { ReceiptStream } from "../../receipts/listed.ts";
import type { Visibility } from "../../api/rooms/visibility.ts";
import type { RoomCommands } from "../feature.ts";
import { authorIn } from "../posts_store.ts";
import * as receipt_source from "../receipt.ts";
import { permalinkIn, postFromRow, roomAddresses, roomFromRow } from "../representations.ts";
import { postsOfAuthor, roomsOfAuthor, type AuthoredRow } from "./store.ts";

export const visibilities = ["public", "unlisted"] as const;

/** The contents of a post's receipt; null if its text was erased, or if its room is deleted. */
export const receiptOfPost = (row: AuthoredRow): ReceiptSource | null =>
  row.goal === "" || row.redacted ? null : receipt_source.spoken(postFromRow(row, row.slug));

export function createAuthoredReceipts(storage: FeatureStorage<RoomCommands>): ReceiptStream[] {
  const roomsIn = (visibility: Visibility): ReceiptStream => ({
    kind: "rooms",
    async read({ canonical, created }, before, count) {
      const author = authorIn(visibility, canonical);
      const rows = await storage.read((tx) => roomsOfAuthor(tx, author, created, before, count));
      return rows.map((row) => ({
        position: [row.created, row.seq],
        receipt: {
          source: receipt_source.opened(roomFromRow(row)),
          title: row.goal,
          path: roomAddresses("", row.slug).url,
        },
      }));
    },
  });
  const postsIn = (visibility: Visibility): ReceiptStream => ({
    kind: "posts",
    async read({ canonical, created }, before, count) {
      const author = authorIn(visibility, canonical);
      const rows = await storage.read((tx) => postsOfAuthor(tx, author, created, before, count));
      return rows.map((row) => {
        const source = receiptOfPost(row);
        const path = permalinkIn(roomAddresses("", row.slug).url, row);
        return { position: [row.ts, row.seq], receipt: source && { source, title: row.goal, path } };
      });
    },
  });
  return [...visibilities.map(postsIn), ...visibilities.map(roomsIn)];
}
