/** Whether there are backups. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isoTime, type Clock } from "../core/clock.ts";
import type { Config } from "../core/settings.ts";
import { findingsOf, type Finding } from "./finding.ts";
import { backupTime } from "../admin/backups.ts";

/** Checks the backups that the service makes by itself. */
export function checkBackups(
  config: Pick<Config, "data_dir" | "backup_dir" | "backup_every_seconds">,
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
  const latest_ms = Math.max(0, ...namesIn(folder).map(backupTime));
  const remedy = `Look for backup.failed in the log of the service, and whether ${folder} can be written.`;
  if (latest_ms === 0) return failed(`There is no backup in ${folder}.`, remedy);
  const age_seconds = (clock.now() - latest_ms) / 1000;
  const found = `The latest backup in ${folder} is of ${isoTime(latest_ms)}.`;
  return age_seconds > 2 * every_seconds ? failed(found, remedy) : ok(found);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
