/**
 * Distinguishes damage of a log from the torn end that a power cut leaves. Each commit waits for its flush (`synchronous=FULL`), and only then
 * the next transaction is written. So a transaction that follows another proves that the other was durable, and frames of it that
 * cannot be read are damaged. Without such a proof they are the torn end of a transaction that nobody was answered.
 */

import { Checksum, frame_header_bytes, type Block, type Salts } from "./wal_format.ts";

/** Bytes that a disk writes completely or not at all. */
const sector_bytes = 512;

/**
 * The frames from the one on that cannot be read. Frames of an earlier use of the file have other salts. Frames with these salts can
 * be left of a transaction that was rolled back or torn, and are partly overwritten then; but each such transaction has one
 * commit, its last frame, which no frame continues.
 */
export class FollowingFrames {
  /** Whether a transaction follows another one. */
  has_later = false;
  /** Whether there are frames of this log. */
  has_own = false;
  #stored_before: Checksum | null = null;
  /** The checksums that the next frame continues if it belongs to a later transaction; none if it does not. */
  #commit_before: Checksum[] = [];

  constructor(
    private readonly frame_bytes: number,
    /** The salts of the first frame, if the log has no valid header. */
    private salts: Salts | null,
    /** What the first frame should hold, if what it holds is damaged. */
    private computed: Checksum | null,
  ) {}

  /** Adds the frame in `block` at `at`, whose place in the file is `position`. */
  add(block: Block, at: number, position: number): void {
    this.salts ??= block.saltsAt(at + 8);
    const is_own = block.hasSalts(at + 8, this.salts);
    const isContinued = (checksum: Checksum) => checksum.copy().addFrame(block, at, this.frame_bytes);
    if (is_own) {
      this.has_own = true;
      this.has_later ||= this.#commit_before.some(isContinued);
    }
    const is_commit = block.numbers.getUint32(at + 4) > 0;
    const stored = Checksum.storedAt(block, at + 16);
    // A header in two sectors may have half of an earlier frame's header. Then only its checksum shows that its mark is genuine.
    const is_whole = (position % sector_bytes) + frame_header_bytes <= sector_bytes;
    const is_genuine =
      is_whole || (is_own && this.#stored_before !== null && isContinued(this.#stored_before));
    this.#commit_before = is_commit
      ? [...(is_genuine ? [stored] : []), ...(this.computed ? [this.computed] : [])]
      : [];
    this.#stored_before = stored;
    this.computed = null;
  }
}
