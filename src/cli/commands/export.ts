/** `wharf export`: everything that an instance stores, as JSON lines. */

import { Command } from "commander";
import { orThrow } from "../../client/client.ts";
import type { ExportHeader, RowCounts } from "../../storage/export/format.ts";
import { readExport } from "../../storage/export/reader.ts";
import { adminCommand } from "../admin/admin_command.ts";
import { defined } from "../shell/arguments.ts";
import { refuseOldFile, saveTo, standard, written } from "../saved_file.ts";
import type { Terminal } from "../terminal.ts";

/** How many rows there are between two lines of progress. */
export const rows_per_line = 100_000;

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
    refuseOldFile(file);
    const query = defined({ secrets: withSecrets && "1" } as const);
    const body = await orThrow(client.get("/api/admin/export", { query, as: "stream" }));
    const { header, rows } = await saveTo(file, (write) => copy(written(body, write), terminal));
    const count = Object.values(rows).reduce((sum, number) => sum + number, 0);
    const line = `${count} rows are exported, ${withSecrets ? "with" : "without"} secrets.`;
    if (file === standard) terminal.writeError(`${line}\n`);
    else show({ file, ...header, rows }, line);
  },
);

/** Reads the export and checks that it is whole. */
async function copy(body: AsyncIterable<Uint8Array>, { writeError }: Terminal): Promise<Exported> {
  let header: ExportHeader;
  const rows: RowCounts = {};
  let count = 0;
  for await (const line of readExport(body)) {
    if ("format" in line) {
      header = line;
      continue;
    }
    rows[line.table] = (rows[line.table] ?? 0) + 1;
    if (++count % rows_per_line === 0) writeError(`${count} rows\n`);
  }
  return { header: header!, rows };
}
