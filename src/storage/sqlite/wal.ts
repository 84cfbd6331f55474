/**
 * Reads a write-ahead log without SQLite, because opening a database may change or delete its log. The format is described
 * in https://www.sqlite.org/fileformat2.html, section 4 ("The Write-Ahead Log").
 */

import { closeSync, openSync, readSync } from "node:fs";
import { endianness } from "node:os";

export interface WalContent {
  page_bytes: number;
  /** Size of the database in pages after the last commit. */
  database_pages: number;
  /** Numbers of the pages written by committed transactions. */
  pages: Set<number>;
  /** The beginning of page 1 after each commit that wrote it, the latest last. */
  first_pages: Buffer[];
}

const wal_header_bytes = 32;
const frame_header_bytes = 24;
const page_1_bytes = 128;
const read_bytes = 1024 * 1024;
const format_version = 3_007_000;
/** The last bit gives the byte order of the words in checksums. */
const magic = { LE: 0x377f0682, BE: 0x377f0683 };

/** Bytes read from the file, also as 32-bit words in the machine's byte order. */
class Block {
  readonly bytes: Buffer;
  readonly numbers: DataView;
  readonly words: Int32Array;

  constructor(size: number) {
    const memory = new ArrayBuffer(size);
    this.bytes = Buffer.from(memory);
    this.numbers = new DataView(memory);
    this.words = new Int32Array(memory);
  }
}

/** The cumulative checksum of the log: each frame continues the checksum of the frame before. */
class Checksum {
  #first = 0;
  #second = 0;

  /** Adds the bytes from `from` to `to`, a multiple of 8. Uses signed words, the fastest to add. */
  add({ words }: Block, from: number, to: number): void {
    let first = this.#first;
    let second = this.#second;
    for (let at = from / 4; at < to / 4; at += 2) {
      first = (first + words[at]! + second) | 0;
      second = (second + words[at + 1]! + first) | 0;
    }
    this.#first = first;
    this.#second = second;
  }

  /** Whether `block` holds this checksum at `at`. */
  isAt({ numbers }: Block, at: number): boolean {
    return numbers.getInt32(at) === this.#first && numbers.getInt32(at + 4) === this.#second;
  }
}

/**
 * The committed transactions in the log `file`, as SQLite would recover them; null if there are none. Throws a user-facing
 * error if the log was written on a machine with the other byte order.
 */
export function readWal(file: string): WalContent | null {
  const descriptor = openSync(file, "r");
  try {
    const header = new Block(wal_header_bytes);
    if (readSync(descriptor, header.bytes, 0, wal_header_bytes, 0) < wal_header_bytes) return null;
    const found_magic = header.numbers.getUint32(0);
    if (found_magic !== magic.LE && found_magic !== magic.BE) return null;
    const page_bytes = header.numbers.getUint32(8);
    const is_page_size = page_bytes >= 512 && page_bytes <= 65_536 && (page_bytes & (page_bytes - 1)) === 0;
    if (header.numbers.getUint32(4) !== format_version || !is_page_size) return null;
    if (found_magic !== magic[endianness()]) {
      throw new Error(
        `${file} was written on a machine of the other byte order. Stop the service there first.`,
      );
    }
    const checksum = new Checksum();
    checksum.add(header, 0, 24);
    return checksum.isAt(header, 24) ? readFrames(descriptor, page_bytes, header, checksum) : null;
  } finally {
    closeSync(descriptor);
  }
}

function readFrames(
  descriptor: number,
  page_bytes: number,
  header: Block,
  checksum: Checksum,
): WalContent | null {
  const salts = [header.numbers.getUint32(16), header.numbers.getUint32(20)];
  const frame_bytes = frame_header_bytes + page_bytes;
  const block = new Block(Math.max(1, Math.floor(read_bytes / frame_bytes)) * frame_bytes);
  const { bytes, numbers } = block;
  const committed: WalContent = { page_bytes, database_pages: 0, pages: new Set(), first_pages: [] };
  let pages: number[] = [];
  let page_1: Buffer | null = null;

  /** Adds the frame at `at`. Returns false if it is not a valid frame of this log. */
  function addFrame(at: number): boolean {
    const page = at + frame_header_bytes;
    if (numbers.getUint32(at + 8) !== salts[0] || numbers.getUint32(at + 12) !== salts[1]) return false;
    checksum.add(block, at, at + 8);
    checksum.add(block, page, at + frame_bytes);
    if (!checksum.isAt(block, at + 16)) return false;
    const number = numbers.getUint32(at);
    pages.push(number);
    if (number === 1) page_1 = Buffer.from(bytes.subarray(page, page + page_1_bytes));
    const database_pages = numbers.getUint32(at + 4);
    if (database_pages > 0) commit(database_pages);
    return true;
  }

  function commit(database_pages: number): void {
    for (const page of pages) committed.pages.add(page);
    pages = [];
    committed.database_pages = database_pages;
    if (page_1) committed.first_pages.push(page_1);
    page_1 = null;
  }

  let length: number;
  let position = wal_header_bytes;
  let is_valid = true;
  do {
    length = readSync(descriptor, bytes, 0, bytes.length, position);
    position += length;
    for (let at = 0; is_valid && at + frame_bytes <= length; at += frame_bytes) is_valid = addFrame(at);
  } while (is_valid && length === bytes.length);
  return committed.database_pages > 0 ? committed : null;
}
