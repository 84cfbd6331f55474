/** Compresses and decompresses databases with zstd (RFC 8878). */

import { closeSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { systemClock } from "../../core/clock.ts";
import { header_bytes, parseHeader, readStart } from "./directory_check.ts";
import { freeSpace } from "./disk_budget.ts";
import { writeAll } from "./durable.ts";
import { checkRoom } from "./space.ts";

const chunk_bytes = 4 * 1024 * 1024;
const magic = 0xfd2fb528;

/**
 * Compresses `from` into the new file `to`: one frame for each 4 MB, which together are one zstd file. Decompresses each
 * frame again, and throws if that differs.
 */
export async function compressTo(from: string, to: string): Promise<void> {
  // Loaded here, because it takes as long as a twentieth of a start.
  const { constants, zstdCompressSync } = await import("node:zlib");
  // Without a checksum of the content, a changed byte can decompress into another text.
  const with_checksum = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };
  const source = openSync(from, "r");
  const target = openSync(to, "wx", 0o600);
  try {
    const buffer = new Uint8Array(chunk_bytes);
    for (let length: number; (length = readSync(source, buffer, 0, chunk_bytes, null)) > 0;) {
      const chunk = buffer.subarray(0, length);
      const frame = zstdCompressSync(chunk, with_checksum);
      if (Bun.zstdDecompressSync(frame).compare(chunk) !== 0) throw new Error("The compression failed.");
      writeAll(target, frame);
      await systemClock.turn();
    }
  } finally {
    closeSync(source);
    closeSync(target);
  }
}

/** The size in bytes that the beginning of the database `file` declares. Throws if it declares none, or more than the disk has free. */
function declaredSize(file: string): number {
  const header = parseHeader(readStart(file));
  if (!header?.pages) throw new Error("it is no database");
  const bytes = header.pages * header.page_bytes;
  checkRoom(bytes, freeSpace(dirname(file), 0).free_bytes ?? Infinity);
  return bytes;
}

/** Whether a file begins as a zstd file. */
export function isCompressed(file: string): boolean {
  const descriptor = openSync(file, "r");
  try {
    const start = Buffer.alloc(4);
    return readSync(descriptor, start, 0, 4, 0) === 4 && start.readUInt32LE(0) === magic;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Decompresses the database `from` into the new file `to`. Throws if `from` is damaged or ends inside a frame, and as soon as
 * it has more bytes than its first ones declare, or than the disk has free: a small file can expand to any size.
 */
export async function decompressTo(from: string, to: string): Promise<void> {
  const target = openSync(to, "wx", 0o600);
  let written_bytes = 0;
  let declared_bytes: number | undefined;
  try {
    // Unlike `createZstdDecompress` of node:zlib, this stream reports an incomplete frame. Its types do not know zstd.
    const stream = new DecompressionStream("zstd" as CompressionFormat);
    const chunks = Bun.file(from).stream().pipeThrough(stream);
    for await (const chunk of chunks) {
      writeAll(target, chunk);
      written_bytes += chunk.length;
      if (written_bytes >= header_bytes) declared_bytes ??= declaredSize(to);
      if (written_bytes > (declared_bytes ?? Infinity)) throw new Error("it is longer than it declares");
    }
  } finally {
    closeSync(target);
  }
}
