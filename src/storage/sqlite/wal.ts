/**
 * Reads a write-ahead log without SQLite, because opening a database may change or delete its log. The format is described
 * in https://www.sqlite.org/fileformat2.html, section 4 ("The Write-Ahead Log").
 */

import { closeSync, openSync, readSync } from "node:fs";
import { endianness } from "node:os";
import { FollowingFrames } from "./wal_damage.ts";
import { Block, Checksum, frame_header_bytes, wal_header_bytes, type Salts } from "./wal_format.ts";

export interface Wal {
  /** Null if the log has no valid header: SQLite then recovers nothing. */
  salts: Salts | null;
  /** Frames that SQLite recovers: the frames of committed transactions. */
  frames: number;
  /** The content of these frames; null if there are none. */
  content: WalContent | null;
  /** Whether more of this log follows those frames: a transaction that is not complete. */
  has_tail: boolean;
  /** The number of the frame where recovery ends, if a later transaction proves that it was durable; else null. */
  damaged_frame: number | null;
}

export interface WalContent {
  page_bytes: number;
  /** Size of the database in pages after the last commit. */
  database_pages: number;
  /** Numbers of the pages written by committed transactions. */
  pages: Set<number>;
  /** The beginning of page 1 after each commit that wrote it, the latest last. */
  first_pages: Buffer[];
}

const page_1_bytes = 128;
const read_bytes = 1024 * 1024;
const format_version = 3_007_000;
/** The last bit gives the byte order of the words in checksums. */
const magic = { LE: 0x377f0682, BE: 0x377f0683 };

/**
 * Reads the log `file` of a database with pages of `page_bytes`. Throws a user-facing error if the log was written on a machine
 * with the other byte order.
 */
export function readWal(file: string, page_bytes: number): Wal {
  const descriptor = openSync(file, "r");
  try {
    const header = new Block(wal_header_bytes);
    const length = readSync(descriptor, header.bytes, 0, wal_header_bytes, 0);
    const found_magic = header.numbers.getUint32(0);
    if (found_magic !== magic[endianness()] && (found_magic === magic.LE || found_magic === magic.BE)) {
      throw new Error(
        `${file} was written on a machine of the other byte order. Stop the service there first.`,
      );
    }
    const checksum = new Checksum();
    checksum.add(header, 0, 24);
    const own_page_bytes = header.numbers.getUint32(8);
    const is_valid =
      length === wal_header_bytes &&
      found_magic === magic[endianness()] &&
      header.numbers.getUint32(4) === format_version &&
      isPageSize(own_page_bytes) &&
      checksum.isAt(header, 24);
    return is_valid
      ? readFrames(descriptor, own_page_bytes, header.saltsAt(16), checksum)
      : readFrames(descriptor, page_bytes, null, checksum);
  } finally {
    closeSync(descriptor);
  }
}

/** Whether SQLite has pages of so many bytes. */
export const isPageSize = (bytes: number): boolean =>
  bytes >= 512 && bytes <= 65_536 && (bytes & (bytes - 1)) === 0;

/** `checksum`: the checksum of the header. */
function readFrames(descriptor: number, page_bytes: number, salts: Salts | null, checksum: Checksum): Wal {
  const frame_bytes = frame_header_bytes + page_bytes;
  const block = new Block(Math.max(1, Math.floor(read_bytes / frame_bytes)) * frame_bytes);
  const { bytes, numbers } = block;
  const content: WalContent = { page_bytes, database_pages: 0, pages: new Set(), first_pages: [] };
  const wal: Wal = { salts, frames: 0, content: null, has_tail: false, damaged_frame: null };
  let pages: number[] = [];
  let page_1: Buffer | null = null;
  let frame = 0;
  let following: FollowingFrames | null = null;

  /** Adds the frame at `at`. Returns false if it is not a valid frame of this log. */
  function addFrame(at: number): boolean {
    if (salts === null) return false;
    if (!checksum.addFrame(block, at, frame_bytes) || !block.hasSalts(at + 8, salts)) return false;
    const page = at + frame_header_bytes;
    const number = numbers.getUint32(at);
    pages.push(number);
    if (number === 1) page_1 = Buffer.from(bytes.subarray(page, page + page_1_bytes));
    const database_pages = numbers.getUint32(at + 4);
    if (database_pages > 0) commit(database_pages);
    return true;
  }

  function commit(database_pages: number): void {
    for (const page of pages) content.pages.add(page);
    pages = [];
    content.database_pages = database_pages;
    if (page_1) content.first_pages.push(page_1);
    page_1 = null;
    wal.frames = frame;
    wal.content = content;
  }

  let length: number;
  let position = wal_header_bytes;
  do {
    length = readSync(descriptor, bytes, 0, bytes.length, position);
    for (let at = 0; at + frame_bytes <= length; at += frame_bytes) {
      if (!following) {
        frame++;
        if (!addFrame(at)) following = new FollowingFrames(frame_bytes, salts, salts && checksum);
      }
      following?.add(block, at, position + at);
    }
    position += length;
  } while (length === bytes.length && !following?.has_later);
  const is_cut = (position - wal_header_bytes) % frame_bytes !== 0;
  wal.has_tail = pages.length > 0 || is_cut || following?.has_own === true;
  if (following?.has_later) wal.damaged_frame = frame;
  return wal;
}
