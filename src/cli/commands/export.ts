/** `wharf export`: everything that an instance stores, as JSON lines. */

import { Command } from "commander";
import { closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { orThrow } from "../../client/client.ts";
import { withReason } from "../../core/log.ts";
import type { ExportHeader, RowCounts } from "../../storage/export/format.ts";
import { readExport } from "../../storage/export/reader.ts";
import { syncDirectory, syncFile, writeAll } from "../../storage/sqlite/durable.ts";
import { adminCommand } from "../admin/admin_command.ts";
import { defined } from "../shell/arguments.ts";
import type { Terminal } from "../terminal.ts";

/** How many rows there are between two lines of progress. */
export const rows_per_line = 100_000;

/** A file name that means standard input or standard output. */
export const standard = "-";

type Write = (bytes: Uint8Array) => void | Promise<void>;

interface Exported {
  header: ExportHeader;
  rows: RowCounts;
}

export const exportCommand = adminCommand<{ withSecrets?: true }>(
  () =>
    new Command("export")
      .description("write everything into a file of JSON lines, while the service runs or is stopped")
      .argument("<file>", "the new file, or - for standard output")
      .option("--with-secrets", "with keys, secrets and what only its owner reads: an equal database"),
  [
    "wharf export wharf.jsonl --data-dir ./wharf-data",
    "wharf export - --with-secrets --data-dir ./wharf-data | gzip > wharf.jsonl.gz",
  ],
  async ({ client, show, terminal }, { withSecrets }, file) => {
    if (file !== standard && existsSync(file)) throw new Error(`${file} exists already: name another file.`);
    const query = defined({ secrets: withSecrets && "1" } as const);
    const body = await orThrow(client.get("/api/admin/export", { query, as: "stream" }));
    const save = file === standard ? toStandardOutput : toFile(file);
    const { header, rows } = await save((write) => copy(body, write, terminal));
    const count = Object.values(rows).reduce((sum, number) => sum + number, 0);
    const line = `${count} rows are exported, ${withSecrets ? "with" : "without"} secrets.`;
    if (file === standard) terminal.writeError(`${line}\n`);
    else show({ file, ...header, rows }, line);
  },
);

/** Writes the export and checks that it is whole. */
async function copy(
  body: AsyncIterable<Uint8Array>,
  write: Write,
  { writeError }: Terminal,
): Promise<Exported> {
  async function* written() {
    for await (const bytes of body) {
      await write(bytes);
      yield bytes;
    }
  }
  let header: ExportHeader;
  const rows: RowCounts = {};
  let count = 0;
  for await (const line of readExport(written())) {
    if ("format" in line) {
      header = line;
      continue;
    }
    rows[line.table] = (rows[line.table] ?? 0) + 1;
    if (++count % rows_per_line === 0) writeError(`${count} rows\n`);
  }
  return { header: header!, rows };
}

async function toStandardOutput(run: (write: Write) => Promise<Exported>): Promise<Exported> {
  const output = Bun.stdout.writer();
  return run(async (bytes) => {
    await output.write(bytes);
    await output.flush();
  });
}

/** Writes a file that only its owner reads, and that gets its name when it is whole and durable. */
const toFile =
  (file: string) =>
  async (run: (write: Write) => Promise<Exported>): Promise<Exported> => {
    const partial = `${file}.partial`;
    const descriptor = openSync(partial, "wx", 0o600);
    try {
      const exported = await run((bytes) => writeAll(descriptor, bytes)).finally(() => closeSync(descriptor));
      syncFile(partial);
      renameSync(partial, file);
      syncDirectory(dirname(file));
      return exported;
    } catch (error) {
      rmSync(partial, { force: true });
      throw withReason(`${file} cannot be written`, error);
    }
  };
