/** `wharf restore`: a new data directory from a backup. */

import { Command } from "commander";
import { systemClock } from "../../core/clock.ts";
import { createLog } from "../../core/log.ts";
import { systemRandom } from "../../core/random.ts";
import { withExamples } from "../help.ts";
import { configFrom, withSettings } from "../setting_options.ts";
import type { Terminal } from "../terminal.ts";
import { contentsOf } from "./backup.ts";

export function restoreCommand(terminal: Terminal): Command {
  const command = new Command("restore")
    .description("make a new data directory from a backup")
    .argument("<file>", "the backup, plain or compressed")
    .option("--json", "print the answer as JSON")
    .action(async (file: string, { json }: { json?: boolean }, command: Command) => {
      const { data_dir } = configFrom(command, terminal);
      const log = createLog(systemClock, "error", terminal.writeError);
      const { restore } = await import("../../app/restore.ts");
      const restored = await restore(file, data_dir, { clock: systemClock, random: systemRandom, log });
      if (json) return terminal.print(JSON.stringify(restored));
      const { tables, kid, not_issued } = restored;
      terminal.print(`${data_dir} is restored: ${contentsOf(tables)}.`);
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
