/** The receipts of a claimed name, the newest first, from what each feature has stored. */

import { parseTime } from "../core/clock.ts";
import { decodeCursor, encodeCursor } from "../core/pagination.ts";
import type { ClaimedName } from "../discovery/feature.ts";
import type { ListedReceipt, ReceiptKind } from "../api/receipts/receipts.ts";
import { receipt_internal_limits as limits } from "./limits.ts";
import type { Receipts, ReceiptSource } from "./receipts.ts";

/** The ISO time of a write, and what orders writes of the same time. */
export type WritePosition = [at: string, seq: number];

/** A receipt that can be signed again: its contents, and the object that it is of. */
export interface ListedSource extends Pick<ListedReceipt, "title" | "path" | "other"> {
  source: ReceiptSource;
}

/** A write under a name. `receipt` is null if it has none any more, because its text was erased. */
export interface ReceiptRow {
  position: WritePosition;
  receipt: ListedSource | null;
}

/** Writes of one kind. */
export interface ReceiptStream {
  kind: ReceiptKind;
  /** The next `count` writes under a name before a position, the latest first; fewer if there are no more. */
  read(name: ClaimedName, before: WritePosition, count: number): Promise<ReceiptRow[]>;
}

/** The last write of a page: its time, its stream and its seq. Writes of the same time are in the order of the streams. */
type Position = [at: string, stream: number, seq: number];

interface ReceiptQuery {
  kind?: ReceiptKind | undefined;
  cursor?: string | undefined;
  /** How many receipts at most. */
  limit?: number;
}

interface ReceiptPage {
  receipts: ListedReceipt[];
  /** Null if there are no more. */
  next: string | null;
}

/** After all times of receipts. */
const end_of_time = "9999-12-31T23:59:59.999Z";
const first: Position = [end_of_time, 0, Number.MAX_SAFE_INTEGER];

const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) &&
  value.length === 3 &&
  typeof value[0] === "string" &&
  parseTime(value[0]) === value[0] &&
  value.slice(1).every((part) => Number.isSafeInteger(part) && part >= 0);

/** The position in the stream with this index at which the list continues after `after`. */
const startIn = (stream: number, [at, last, seq]: Position): WritePosition =>
  stream < last ? [at, 0] : [at, stream === last ? seq : Number.MAX_SAFE_INTEGER];

/** A stream as far as it was read. */
interface Head {
  stream: ReceiptStream;
  index: number;
  before: WritePosition;
  rows: ReceiptRow[];
  has_ended: boolean;
}

/** The head with the latest write. The rows of each that has not ended are read. */
const latestOf = (heads: Head[]): Head | undefined =>
  heads
    .filter(({ rows }) => rows.length > 0)
    .reduce<Head | undefined>(
      (latest, head) => (latest && latest.rows[0]!.position[0] >= head.rows[0]!.position[0] ? latest : head),
      undefined,
    );

export type ReceiptList = ReturnType<typeof createReceiptList>;

export function createReceiptList(receipts: Receipts, streams: ReceiptStream[]) {
  const listed = (name: string, { source, ...shown }: ListedSource): ListedReceipt => ({
    ...receipts.shown(source),
    at: source.at,
    by_me: source.name === name,
    ...shown,
  });

  /** A page of receipts. It is shorter than `limit` if many writes have none any more. Throws `invalid_fields` for an invalid cursor. */
  return async function page(
    name: ClaimedName,
    { kind, cursor, limit = limits.receipts_per_page }: ReceiptQuery,
  ): Promise<ReceiptPage> {
    let after = cursor === undefined ? first : decodeCursor(cursor, isPosition);
    const heads = streams.flatMap((stream, index): Head[] =>
      kind === undefined || stream.kind === kind
        ? [{ stream, index, before: startIn(index, after), rows: [], has_ended: false }]
        : [],
    );
    const found: ListedReceipt[] = [];
    const end = () => ({ receipts: found, next: encodeCursor(after) });
    for (let reads = 0; ;) {
      for (const head of heads) {
        if (head.has_ended || head.rows.length > 0) continue;
        if (reads++ === limits.reads_per_page_max) return end();
        head.rows = await head.stream.read(name, head.before, limits.writes_per_read);
        head.before = head.rows.at(-1)?.position ?? head.before;
        head.has_ended = head.rows.length < limits.writes_per_read;
      }
      const latest = latestOf(heads);
      if (!latest) return { receipts: found, next: null };
      if (found.length === limit) return end();
      const { position, receipt } = latest.rows.shift()!;
      after = [position[0], latest.index, position[1]];
      if (receipt) found.push(listed(name.name, receipt));
    }
  };
}
