/** `wharf keys`: the keys that sign receipts. */

import { Command } from "commander";
import { systemClock } from "../../core/clock.ts";
import { createLog } from "../../core/log.ts";
import { systemRandom } from "../../core/random.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { configFrom, withSettings } from "../setting_options.ts";

export function keysCommand(terminal: Terminal): Command {
  const rotate = new Command("rotate")
    .description(
      "sign with a new key from now on, while the service is stopped (with Postgres also while it runs); older receipts still verify",
    )
    .action(async (_options, command: Command) => {
      const config = configFrom(command, terminal);
      const log = createLog(systemClock, "warn", terminal.writeError);
      const { rotateKeys } = await import("../rotate_keys.ts");
      const { kid, retired } = await rotateKeys(config, { clock: systemClock, random: systemRandom, log });
      terminal.print(
        `Receipts are signed with ${kid} from now on.${retired ? ` ${retired} is retired.` : ""}`,
      );
    });
  withExamples(withSettings(rotate, ["data_dir"]), "wharf keys rotate --data-dir ./wharf-data");
  return withExamples(
    new Command("keys").description("the keys that sign receipts").addCommand(rotate),
    "wharf keys rotate --data-dir ./wharf-data",
  );
}
