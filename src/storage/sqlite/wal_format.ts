/** Bytes and checksums of a write-ahead log and its index (https://www.sqlite.org/fileformat2.html, section 4.2). */

export const wal_header_bytes = 32;
export const frame_header_bytes = 24;

/** Two random numbers in the header of a log and in each of its frames. Each reset of the log changes them. */
export type Salts = readonly [number, number];

/** Bytes read from a file, also as 32-bit words in the machine's byte order. */
export class Block {
  readonly bytes: Buffer;
  readonly numbers: DataView;
  readonly words: Int32Array;

  constructor(size: number) {
    const memory = new ArrayBuffer(size);
    this.bytes = Buffer.from(memory);
    this.numbers = new DataView(memory);
    this.words = new Int32Array(memory);
  }

  saltsAt(at: number): Salts {
    return [this.numbers.getUint32(at), this.numbers.getUint32(at + 4)];
  }

  hasSalts(at: number, [first, second]: Salts): boolean {
    return this.numbers.getUint32(at) === first && this.numbers.getUint32(at + 4) === second;
  }
}

/** The cumulative checksum of a log: each frame continues the checksum of the frame before. */
export class Checksum {
  #first: number;
  #second: number;

  constructor(first = 0, second = 0) {
    this.#first = first;
    this.#second = second;
  }

  /** The checksum that `block` holds at `at`. */
  static storedAt({ numbers }: Block, at: number): Checksum {
    return new Checksum(numbers.getInt32(at), numbers.getInt32(at + 4));
  }

  copy(): Checksum {
    return new Checksum(this.#first, this.#second);
  }

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

  /** Adds the frame of `bytes` at `at`. Returns whether the frame holds the result. */
  addFrame(block: Block, at: number, bytes: number): boolean {
    this.add(block, at, at + 8);
    this.add(block, at + frame_header_bytes, at + bytes);
    return this.isAt(block, at + 16);
  }

  equals(first: number, second: number): boolean {
    return first === this.#first && second === this.#second;
  }

  /** Whether `block` holds this checksum at `at`. */
  isAt({ numbers }: Block, at: number): boolean {
    return this.equals(numbers.getInt32(at), numbers.getInt32(at + 4));
  }
}
