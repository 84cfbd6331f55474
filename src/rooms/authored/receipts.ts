/** The receipts of a claimed name for the rooms that it opened and for its posts. Of private rooms only while it is a member. */

import type { FeatureStorage } from "../../core/commands.ts";
import type { ReceiptSource } from "../../receipts/receipts.ts";
import type { ReceiptStream } from "../../receipts/listed.ts";
import type { Visibility } from "../../api/rooms/visibility.ts";
import type { RoomCommands } from "../feature.ts";
import { withUnreadable, type AdmissionRules } from "../members/roles.ts";
import { authorIn } from "../posts_store.ts";
import * as receipt_source from "../receipt.ts";
import { permalinkIn, postFromRow, roomAddresses, roomFromRow } from "../representations.ts";
import { postsOfAuthor, roomsOfAuthor, type AuthoredRow } from "./store.ts";

export const visibilities = ["public", "unlisted", "private"] as const;

/** The contents of a post's receipt; null if its text was erased, or if its room is deleted. */
export const receiptOfPost = (row: AuthoredRow): ReceiptSource | null =>
  row.goal === "" || row.redacted ? null : receipt_source.spoken(postFromRow(row, row.slug));

interface AuthoredReceiptsDeps extends AdmissionRules {
  storage: FeatureStorage<RoomCommands>;
}

export function createAuthoredReceipts({ storage, ...rules }: AuthoredReceiptsDeps): ReceiptStream[] {
  const roomsIn = (visibility: Visibility): ReceiptStream => ({
    kind: "rooms",
    async read({ canonical, created }, before, count) {
      const author = authorIn(visibility, canonical);
      const { rows, unreadable } = await storage.read((tx) =>
        withUnreadable(tx, rules, canonical, roomsOfAuthor(tx, author, created, before, count)),
      );
      return rows.map((row) => ({
        position: [row.created, row.seq],
        receipt: unreadable.has(row.slug)
          ? null
          : {
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
      const { rows, unreadable } = await storage.read((tx) =>
        withUnreadable(tx, rules, canonical, postsOfAuthor(tx, author, created, before, count)),
      );
      return rows.map((row) => {
        const source = unreadable.has(row.slug) ? null : receiptOfPost(row);
        const path = permalinkIn(roomAddresses("", row.slug).url, row);
        return { position: [row.ts, row.seq], receipt: source && { source, title: row.goal, path } };
      });
    },
  });
  return [...visibilities.map(postsIn), ...visibilities.map(roomsIn)];
}
