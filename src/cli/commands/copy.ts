/** `wharf copy`: an instance from a data directory into Postgres, or back. */

import { Command } from "commander";
import { isPostgresUrl } from "../../core/database_settings.ts";
import { UsageError } from "../../core/settings.ts";
import { withExamples, type Terminal } from "../terminal.ts";

export function copyCommand(terminal: Terminal): Command {
  const command = new Command("copy")
    .description(
      "copy an instance from a data directory into an empty database in Postgres, or back, and compare the rows",
    )
    .requiredOption(
      "--from <place>",
      "a data directory whose service is stopped, or the URL of a database in Postgres",
    )
    .requiredOption("--to <place>", "the URL of an empty database in Postgres, or a new data directory")
    .option("--json", "print the answer as JSON")
    .action(async ({ from, to, json }: { from: string; to: string; json?: true }) => {
      if (isPostgresUrl(from) === isPostgresUrl(to))
        throw new UsageError(
          "One of --from and --to is a data directory, and the other the URL of a database in Postgres.",
        );
      const { copyToDirectory, copyToPostgres } = await import("../../app/copy.ts");
      const tables = await (isPostgresUrl(to) ? copyToPostgres(from, to) : copyToDirectory(from, to));
      if (json) return terminal.print(JSON.stringify({ tables }));
      const rows = Object.values(tables).reduce((sum, count) => sum + count, 0);
      terminal.print(`${rows} rows in ${Object.keys(tables).length} tables are copied and equal.`);
      terminal.print(
        isPostgresUrl(to)
          ? `Start the service with this database. ${from} is a copy from now on: started again, it signs with a new key.`
          : `${to} is a copy: started, it signs with a new key. If the database is not used any more, start it once with --moved.`,
      );
    });
  return withExamples(
    command,
    "wharf copy --from ./wharf-data --to postgres://wharf@db.example/wharf",
    "wharf copy --from postgres://wharf@db.example/wharf --to ./wharf-data",
  );
}
