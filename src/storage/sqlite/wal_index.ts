/**
 * Reads the index of a write-ahead log, the file `-shm` (https://www.sqlite.org/walformat.html, section 2). It is never flushed.
 * SQLite writes a commit into it after the flush of the log: while the machine runs it says exactly what the log holds, and after
 * a power cut what the log held at an earlier moment.
 */

import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { Block, Checksum, type Salts } from "./wal_format.ts";

export interface WalIndex {
  salts: Salts;
  /** Frames of committed transactions in the log. */
  frames: number;
  /** Frames of them that are in the database. */
  moved_frames: number;
}

/** The header, twice, and the beginning of the checkpoint information. */
const header_bytes = 48;
const read_bytes = 2 * header_bytes + 8;
/** The checksum is the last part of the header. */
const summed_bytes = 40;
const format_version = 3_007_000;

/** The index in `file`; null if there is none, or it was written only in part. */
export function readWalIndex(file: string): WalIndex | null {
  if (!existsSync(file)) return null;
  const block = new Block(read_bytes);
  const descriptor = openSync(file, "r");
  try {
    if (readSync(descriptor, block.bytes, 0, read_bytes, 0) < read_bytes) return null;
  } finally {
    closeSync(descriptor);
  }
  const { bytes, words } = block;
  const checksum = new Checksum();
  checksum.add(block, 0, summed_bytes);
  const is_valid =
    words[0] === format_version &&
    bytes.compare(bytes, 0, header_bytes, header_bytes, 2 * header_bytes) === 0 &&
    // In the machine's byte order, unlike the log.
    checksum.equals(words[10]!, words[11]!);
  if (!is_valid) return null;
  return { salts: block.saltsAt(32), frames: words[4]! >>> 0, moved_frames: words[24]! >>> 0 };
}
