/** `wharf backup`: a verified copy of an instance in one file, whether its service runs or not. */

import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Command } from "commander";
import { orThrow } from "../../client/client.ts";
import { withReason } from "../../core/log.ts";
import { verify } from "../../storage/sqlite/backup.ts";
import { syncDirectory, writeAll } from "../../storage/sqlite/durable.ts";
import { decompressTo } from "../../storage/sqlite/zstd.ts";
import { adminCommand } from "../admin/admin_command.ts";

/** The number of rows of each table, in words. */
export const contentsOf = (tables: Record<string, number>): string =>
  Object.entries(tables)
    .filter(([, rows]) => rows > 0)
    .map(([name, rows]) => `${name} ${rows}`)
    .join(", ");

export const backupCommand = adminCommand<{ compress?: true }>(
  () =>
    new Command("backup")
      .description("write a verified copy of everything to a new file, while the service runs or not")
      .argument("<file>", "the file to write, which must not exist")
      .option("--compress", "compress the file with zstd"),
  [
    "wharf backup ./wharf.backup --data-dir ./wharf-data",
    "wharf backup ./wharf.backup.zst --compress --data-dir ./wharf-data",
  ],
  async ({ client, show }, { compress = false }, file) => {
    if (existsSync(file))
      throw new Error(`${file} exists already. A backup overwrites nothing: name another file.`);
    const query = { compress: compress ? "zstd" : "none" } as const;
    const body = await orThrow(client.get("/api/admin/backup", { query, as: "stream" }));
    const { bytes, tables } = await receive(body, file, compress);
    show({ file, bytes, tables }, `${file} is written and verified, ${bytes} bytes: ${contentsOf(tables)}.`);
  },
);

/** Writes the answer to `file`, which gets its name when it is verified. */
async function receive(body: AsyncIterable<Uint8Array>, file: string, is_compressed: boolean) {
  const partial = `${file}.partial`;
  const plain = is_compressed ? `${partial}.plain` : partial;
  const descriptor = openSync(partial, "wx", 0o600);
  let bytes = 0;
  try {
    for await (const chunk of body) {
      writeAll(descriptor, chunk);
      bytes += chunk.length;
    }
    fsyncSync(descriptor);
    if (is_compressed) await decompressTo(partial, plain);
    const { tables } = verify(plain);
    renameSync(partial, file);
    syncDirectory(dirname(file));
    return { bytes, tables };
  } catch (error) {
    throw withReason(`${file} cannot be written`, error);
  } finally {
    closeSync(descriptor);
    rmSync(partial, { force: true });
    if (is_compressed) rmSync(plain, { force: true });
  }
}
