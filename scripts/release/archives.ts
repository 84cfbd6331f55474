/** Writes tar.gz and zip files: the same entries give the same bytes on every machine. */

import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { packTar } from "modern-tar";
import { ZipFile } from "yazl";

export interface Entry {
  /** Its path in the archive, with slashes. */
  name: string;
  /** Its permissions, as 0o755. */
  mode: number;
  data: Uint8Array;
}

/** Higher levels take twice the time for 3 % less. */
const level = 6;

/** Writes a tar.gz file to `path`. Entries keep their order, belong to root, and were changed at `time_seconds` since 1970. */
export async function tarGz(entries: Entry[], path: string, time_seconds: number): Promise<void> {
  const mtime = new Date(time_seconds * 1000);
  const tar = await packTar(
    entries.map(({ name, mode, data }) => ({
      header: { name, mode, mtime, size: data.length, uid: 0, gid: 0, uname: "root", gname: "root" },
      body: data,
    })),
  );
  await Bun.write(path, await promisify(gzip)(tar, { level }));
}

/** Writes a zip file to `path`. Entries keep their order and were changed at `time_seconds` since 1970, in UTC. */
export async function zip(entries: Entry[], path: string, time_seconds: number): Promise<void> {
  // Times in a zip file have no zone: the library writes those of the process.
  process.env.TZ = "UTC";
  const file = new ZipFile();
  for (const { name, mode, data } of entries) {
    file.addBuffer(Buffer.from(data.buffer, data.byteOffset, data.length), name, {
      mode: 0o100_000 | mode,
      mtime: new Date(time_seconds * 1000),
      compressionLevel: level,
    });
  }
  file.end();
  await pipeline(file.outputStream, createWriteStream(path));
}
