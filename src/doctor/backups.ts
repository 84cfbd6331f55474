/** Whether there are backups. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isoTime, type Clock } from "../core/clock.ts";
import type { Config } from "../core/settings.ts";
import { findingsOf, type Finding } from "./finding.ts";
import { backupTime, byTime } from "../admin/backups.ts";

/** Checks the backups that the service makes by itself. `identity`: that of the instance; null if it is unknown. */
export function checkBackups(
  config: Pick<Config, "data_dir" | "backup_dir" | "backup_every_seconds">,
  identity: string | null,
  clock: Clock,
): Finding {
  const { ok, warning, failed } = findingsOf("backups");
  const { backup_every_seconds: every_seconds } = config;
  if (every_seconds === 0) {
    return warning(
      "The service makes no backups by itself.",
      "Set --backup-every 6h, or run wharf backup from a timer.",
    );
  }
  const folder = config.backup_dir ?? join(config.data_dir, "backups");
  const names = ownNamesIn(folder, identity);
  const { past, future } = byTime(names, clock.now());
  const latest_ms = backupTime(past.at(-1) ?? "");
  const remedy = `Look for backup.failed in the log of the service, and whether ${folder} can be written.`;
  const found =
    (latest_ms === 0
      ? `There is no backup in ${folder}`
      : `The latest backup in ${folder} is of ${isoTime(latest_ms)}`) +
    (future.length === 0 ? "." : `, beside ${future.length} of times in the future, such as ${future[0]}.`);
  const age_seconds = (clock.now() - latest_ms) / 1000;
  if (latest_ms === 0 || age_seconds > 2 * every_seconds) return failed(found, remedy);
  if (future.length === 0) return ok(found);
  return warning(
    found,
    "The clock is wrong, or was wrong when they were made. If it is right now, move or remove them: the service removes them only after their times have come.",
  );
}

/** The names of the backups of this instance, as another one may use the same folder; all if its identity is unknown. */
function ownNamesIn(folder: string, identity: string | null): string[] {
  try {
    return readdirSync(folder).filter((name) => name.startsWith(`wharf-${identity ?? ""}`));
  } catch {
    return [];
  }
}
