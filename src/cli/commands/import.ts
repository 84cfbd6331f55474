/** `wharf import`: an instance from a file that `wharf export` has written. */

import { Command } from "commander";
import { systemClock } from "../../core/clock.ts";
import { shownDatabase } from "../../core/database_settings.ts";
import { checkReadable } from "../../core/failures.ts";
import { createLog } from "../../core/log.ts";
import { systemRandom } from "../../core/random.ts";
import { importInto, type Imported } from "../../storage/export/import.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { configFrom, withSettings } from "../setting_options.ts";
import { standard } from "../saved_file.ts";
import { rows_per_line } from "./export.ts";

export const importCommand = (terminal: Terminal): Command =>
  withExamples(
    withSettings(
      new Command("import")
        .description(
          "make the data of a new instance from an export, in a missing or empty directory, or in the empty database that WHARF_DATABASE names",
        )
        .argument("<file>", "the export, or - for standard input"),
      ["data_dir"],
    ).action(async (file: string, _options, command: Command) => {
      const { data_dir, database } = configFrom(command, terminal);
      if (file !== standard) checkReadable(file);
      const chunks = file === standard ? Bun.stdin.stream() : Bun.file(file).stream();
      const onRow = (count: number) => {
        if (count % rows_per_line === 0) terminal.writeError(`${count} rows\n`);
      };
      const { rows, with_secrets } = await (database === null
        ? importInto(data_dir, chunks, onRow)
        : intoPostgres(chunks, onRow, { data_dir, database }, terminal));
      const count = Object.values(rows).reduce((sum, number) => sum + number, 0);
      terminal.print(
        `${count} rows are imported into ${database === null ? data_dir : shownDatabase(database)}.`,
      );
      if (!with_secrets) {
        terminal.print(
          "The export has no secrets. Nobody has the key of a name in it: `wharf admin release` lets its owner claim it again.",
        );
      }
    }),
    "wharf import wharf.jsonl --data-dir ./new-data",
    "gunzip < wharf.jsonl.gz | wharf import - --data-dir ./new-data",
  );

async function intoPostgres(
  chunks: AsyncIterable<Uint8Array>,
  onRow: (count: number) => void,
  places: { data_dir: string; database: string },
  { writeError }: Terminal,
): Promise<Imported> {
  const log = createLog(systemClock, "error", writeError);
  const { importIntoPostgres } = await import("../../app/into_postgres.ts");
  return importIntoPostgres(chunks, onRow, places, { clock: systemClock, random: systemRandom, log });
}
