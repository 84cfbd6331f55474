/** `wharf restore`: a new data directory from a backup. */

import { Command } from "commander";
import { systemClock } from "../../core/clock.ts";
import { shownDatabase } from "../../core/database_settings.ts";
import { createLog } from "../../core/log.ts";
import { systemRandom } from "../../core/random.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { configFrom, withSettings } from "../setting_options.ts";
import { contentsOf } from "./backup.ts";

export function restoreCommand(terminal: Terminal): Command {
  const command = new Command("restore")
    .description(
      "make a new data directory from a backup, or fill the empty database that WHARF_DATABASE names",
    )
    .argument("<file>", "the backup, plain or compressed")
    .option("--json", "print the answer as JSON")
    .action(async (file: string, { json }: { json?: boolean }, command: Command) => {
      const { data_dir, database } = configFrom(command, terminal);
      const log = createLog(systemClock, "error", terminal.writeError);
      const deps = { clock: systemClock, random: systemRandom, log };
      const restored = await (database === null
        ? (await import("../../app/restore.ts")).restore(file, data_dir, deps)
        : (await import("../../app/into_postgres.ts")).restoreIntoPostgres(
            file,
            { data_dir, database },
            deps,
          ));
      if (json) return terminal.print(JSON.stringify(restored));
      const { tables, kid, not_issued } = restored;
      terminal.print(
        `${database === null ? data_dir : shownDatabase(database)} is restored: ${contentsOf(tables)}.`,
      );
      terminal.print(
        `Receipts and days of the beacon are signed with a new key, ${kid}; older ones still verify.`,
      );
      terminal.print(
        not_issued
          ? `The beacon does not issue ${not_issued.first} to ${not_issued.last}: the original may have published these days.`
          : "The beacon goes on with the next day.",
      );
    });
  return withExamples(
    withSettings(command, ["data_dir"]),
    "wharf restore ./wharf.backup --data-dir ./wharf-restored",
  );
}
