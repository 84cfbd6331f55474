/**
 * The rooms that a claimed name opened with its key, and all its posts, for the export of the name. Of private rooms only those that it
 * may read by now.
 */

import { joinedChunks, mapChunks, pagedChunks } from "../../core/chunks.ts";
import type { Clock } from "../../core/clock.ts";
import type { FeatureStorage } from "../../core/commands.ts";
import type { ExportedLine, ExportOf } from "../../discovery/feature.ts";
import type { ReceiptLineOf } from "../../receipts/receipts.ts";
import type { RoomCommands } from "../feature.ts";
import { room_internal_limits } from "../limits.ts";
import * as receipt_source from "../receipt.ts";
import {
  permalinkIn,
  postFromRow,
  roomAddresses,
  roomAt,
  roomFromRow,
  type RoomRecord,
} from "../representations.ts";
import { unreadableAmong, type AdmissionRules } from "../members/roles.ts";
import { isPrivateSlug } from "../../api/rooms/visibility.ts";
import type { RoomRow } from "../store.ts";
import { authorIn } from "../posts_store.ts";
import { receiptOfPost, visibilities } from "./receipts.ts";
import { lastPostSeq, postsOfAuthorAfter, roomsOfAuthorAfter, type AuthoredRow } from "./store.ts";

interface AuthoredExportDeps extends AdmissionRules {
  storage: FeatureStorage<RoomCommands>;
  clock: Clock;
  receiptLine: ReceiptLineOf;
}

const { exported_per_slice: limit } = room_internal_limits;

/** A deleted room has no goal. Its posts are not erased yet. */
const isThere = ({ goal }: AuthoredRow): boolean => goal !== "";

export function createAuthoredExport({
  storage,
  clock,
  receiptLine,
  claimedSince,
}: AuthoredExportDeps): ExportOf {
  const roomLines = (room: RoomRecord, base: string): ExportedLine[] => [
    { kind: "room", ...roomAt(base, room) },
    receiptLine(receipt_source.opened(room)),
  ];

  function postLines(row: AuthoredRow, base: string): ExportedLine[] {
    const post = postFromRow(row, row.slug);
    const url = permalinkIn(roomAddresses(base, row.slug).url, post);
    const receipt = receiptOfPost(row);
    return [{ kind: "post", ...post, url }, ...(receipt ? [receiptLine(receipt)] : [])];
  }

  /** Those of `rows` whose rooms the name may read. */
  async function readable<Row extends { slug: string }>(canonical: string, rows: Row[]): Promise<Row[]> {
    const slugs = rows.map(({ slug }) => slug);
    if (!slugs.some(isPrivateSlug)) return rows;
    const unreadable = await storage.read((tx) => unreadableAmong(tx, { claimedSince }, canonical, slugs));
    return rows.filter(({ slug }) => !unreadable.has(slug));
  }

  return ({ canonical, created }, base) => {
    const authors = visibilities.map((visibility) => authorIn(visibility, canonical));
    const roomsOf = (author: string) => () => {
      const rooms = pagedChunks(limit, async (last: RoomRow | undefined) => {
        await clock.turn();
        return storage.read((tx) => roomsOfAuthorAfter(tx, author, last ?? { created, seq: 0 }, limit));
      });
      return mapChunks(rooms, async (rows) => {
        const shown = await readable(canonical, rows);
        return shown.map(roomFromRow).flatMap((room) => roomLines(room, base));
      });
    };
    const postsOf = (author: string) => () => {
      let end: number | undefined;
      const posts = pagedChunks(limit, async (last: AuthoredRow | undefined) => {
        await clock.turn();
        // A name that posts while it is read would never come to an end.
        const through = (end ??= await storage.read(lastPostSeq));
        const after = last ?? { ts: created, seq: 0 };
        return storage.read((tx) => postsOfAuthorAfter(tx, author, after, through, limit));
      });
      return mapChunks(posts, async (rows) => {
        const shown = await readable(canonical, rows.filter(isThere));
        return shown.flatMap((row) => postLines(row, base));
      });
    };
    return joinedChunks([...authors.map(roomsOf), ...authors.map(postsOf)]);
  };
}
