/** SQL of reports. */

import type { Tx } from "../core/storage.ts";
import { idText, isId, timeText, type Packed } from "../storage/packed.ts";
import { visibilityAt, type Visibility } from "../api/rooms/visibility.ts";
import { countRows } from "../storage/rows.ts";

interface ReportRow {
  /** The seq of the post. */
  post: number;
  first_at: string;
  last_at: string;
  count: number;
  /** A JSON list of texts. */
  reasons: string;
  settled_at: string | null;
}

/** A report with its post. */
export interface ReportedPostRow extends Omit<ReportRow, "settled_at"> {
  id: string;
  n: number;
  ts: string;
  name: string;
  claimed: number;
  body: string;
  room: string;
  goal: string;
  visibility: Visibility;
}

export const findReport = (tx: Tx, post: number) =>
  tx.get<ReportRow>("SELECT * FROM reports WHERE post = $1", post);

/** The report of the post with this id, with the place of the post. */
export async function findReportOf(tx: Tx, post_id: string) {
  if (!isId(post_id)) return undefined;
  type Row = Pick<ReportRow, "post" | "settled_at" | "count"> &
    Pick<ReportedPostRow, "room" | "n" | "name" | "claimed"> & { ts: number };
  const row = await tx.get<Row>(
    "SELECT reports.post, reports.settled_at, reports.count, rooms.slug AS room, posts.n, posts.name, posts.claimed, posts.ts FROM reports " +
      "JOIN posts ON posts.seq = reports.post JOIN rooms ON rooms.seq = posts.room WHERE posts.id = $1",
    tx.packed(post_id),
  );
  return row && { ...row, ts: timeText(row.ts) };
}

export const countReports = (tx: Tx) => countRows(tx, "FROM reports");

export const insertReport = (tx: Tx, post: number, at: string, reasons: string) =>
  tx.run(
    "INSERT INTO reports (post, first_at, last_at, count, reasons) VALUES ($1, $2, $2, 1, $3)",
    post,
    at,
    reasons,
  );

/** Counts a further report of a post. */
export const countReport = (tx: Tx, post: number, at: string, reasons: string) =>
  tx.run(
    "UPDATE reports SET count = count + 1, last_at = $2, reasons = $3 WHERE post = $1",
    post,
    at,
    reasons,
  );

/** Settles an open report, and deletes its reasons, which may repeat the text of the post. Returns 0 if there is none. */
export const settleReport = (tx: Tx, post: number, at: string) =>
  tx.run(
    "UPDATE reports SET settled_at = $2, reasons = '[]' WHERE post = $1 AND settled_at IS NULL",
    post,
    at,
  );

/** Deletes the report that was settled first. Returns 0 if all are open. */
export const deleteOldestSettled = (tx: Tx) =>
  tx.run(
    "DELETE FROM reports WHERE post = " +
      "(SELECT post FROM reports WHERE settled_at IS NOT NULL ORDER BY settled_at LIMIT 1)",
  );

/** Where a page of reports begins: after this report. */
export interface ReportCursor {
  last_at: string;
  post: number;
}

/** The open reports of posts that have a text, the latest report first, `limit` of them after the cursor. */
export async function openReports(
  tx: Tx,
  limit: number,
  // The position before all reports, since "~" sorts after every digit.
  after: ReportCursor = { last_at: "~", post: 0 },
): Promise<ReportedPostRow[]> {
  type Stored = { id: Packed; ts: number; visibility: "public" | "unlisted" };
  const rows = await tx.all<Omit<ReportedPostRow, keyof Stored> & Stored>(
    "SELECT reports.post, reports.first_at, reports.last_at, reports.count, reports.reasons, " +
      "posts.id, posts.n, posts.ts, posts.name, posts.claimed, posts.body, rooms.slug AS room, rooms.goal, rooms.visibility FROM reports " +
      "JOIN posts ON posts.seq = reports.post JOIN rooms ON rooms.seq = posts.room " +
      // A deleted room has no goal.
      "WHERE reports.settled_at IS NULL AND posts.body IS NOT NULL AND rooms.goal <> '' AND (reports.last_at, reports.post) < ($1, $2) " +
      "ORDER BY reports.last_at DESC, reports.post DESC LIMIT $3",
    after.last_at,
    after.post,
    limit,
  );
  return rows.map((row) => ({
    ...row,
    id: idText(row.id),
    ts: timeText(row.ts),
    visibility: visibilityAt(row.room, row.visibility),
  }));
}
