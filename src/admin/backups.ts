/** Backups of a running service: streamed to an admin, and made at intervals. */

import { existsSync, openSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isoTime } from "../core/clock.ts";
import type { Config } from "../core/settings.ts";
import type { CommandMap, Storage } from "../core/storage.ts";
import { messageOf } from "../core/log.ts";
import type { Runtime } from "../core/runtime.ts";

interface BackupsDeps extends Runtime {
  storage: Pick<Storage<CommandMap>, "backup" | "identity">;
  config: Pick<
    Config,
    "data_dir" | "backup_every_seconds" | "backup_keep" | "backup_dir" | "backup_compress" | "database"
  >;
}

export type Backups = ReturnType<typeof createBackups>;

const check_seconds = 60;
/** A node that has begun a backup this long ago does not write it any more. */
const writing_ms_max = 24 * 3_600_000;
/** The copies that are read and then removed: for an admin, and for an export (storage/export/stream.ts). */
const temporary = /^wharf(?:-backup-.*\.tmp|\.db\.export)/;

/** The time in the name of a backup, in unix milliseconds; 0 if it has none. */
export function backupTime(name: string): number {
  const [, date, time] = /^wharf-[0-9a-f]{8}-(\d{8})T(\d{6})Z\.db(?:\.zst)?$/.exec(name) ?? [];
  if (date === undefined || time === undefined) return 0;
  const [day, clock_time] = [date.replace(/(..)(..)$/, "-$1-$2"), time.replace(/(..)(..)(..)/, "$1:$2:$3")];
  // Not a number for a day that there is not.
  return Date.parse(`${day}T${clock_time}Z`) || 0;
}

/** Those of these names that have a time, by time. Those from the future were made under a clock that was wrong. */
export function byTime(names: readonly string[], now_ms: number): { past: string[]; future: string[] } {
  const timed = names.map((name) => ({ name, at_ms: backupTime(name) })).filter(({ at_ms }) => at_ms > 0);
  timed.sort((a, b) => a.at_ms - b.at_ms);
  const those = (is_future: boolean) =>
    timed.filter(({ at_ms }) => at_ms > now_ms === is_future).map(({ name }) => name);
  return { past: those(false), future: those(true) };
}

export function createBackups({ storage, clock, random, log, config }: BackupsDeps) {
  const folder = config.backup_dir ?? join(config.data_dir, "backups");
  /** The names of own backups: another instance may use the same directory. */
  const own = new RegExp(`^wharf-${storage.identity}-\\d{8}T\\d{6}Z\\.db(?:\\.zst)?$`);
  let cancel = () => {};
  let next_ms: number | null = null;
  let is_closed = false;

  /** The files in the directory of backups. If it cannot be read, the next backup reports why. */
  const files = (): string[] => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  };
  /** The own backups. Those from the future count for nothing until then. */
  const backups = () =>
    byTime(
      files().filter((name) => own.test(name)),
      clock.now(),
    );
  /** The nodes of a database may use one directory, but not one data directory. */
  const is_shared = config.database !== null && config.backup_dir !== null;
  const isLeft = (name: string): boolean => {
    const whole = name.replace(/\.partial.*$/, "");
    if (whole === name || !own.test(whole)) return false;
    return !is_shared || clock.now() - backupTime(whole) > writing_ms_max;
  };

  async function makeNext(): Promise<void> {
    const at = isoTime(clock.now()).replace(/[-:]|\.\d+/g, "");
    const compress = config.backup_compress;
    const file = join(folder, `wharf-${storage.identity}-${at}.db${compress ? ".zst" : ""}`);
    try {
      const { bytes, tables } = await storage.backup(file, { compress });
      log.info("backup.made", { file, bytes, tables });
      const { past, future } = backups();
      for (const name of past.slice(0, -config.backup_keep)) {
        rmSync(join(folder, name));
        log.info("backup.removed", { file: join(folder, name) });
      }
      if (future.length > 0)
        log.warn("backup.in_future", { files: future.map((name) => join(folder, name)) });
    } catch (error) {
      if (!is_closed) log.warn("backup.failed", { file, error: messageOf(error) });
    }
  }

  /** The time of the latest own backup; 0 if there is none. */
  const latest_ms = (): number => backupTime(backups().past.at(-1) ?? "");

  /** Makes a backup if one is due, and looks again in a minute. */
  async function tick(): Promise<void> {
    const every_ms = config.backup_every_seconds * 1000;
    // The clock may have been set back meanwhile.
    next_ms = Math.min(next_ms ?? latest_ms() + every_ms, clock.now() + every_ms);
    if (clock.now() >= next_ms) {
      next_ms = clock.now() + every_ms;
      await makeNext();
    }
    if (!is_closed) cancel = clock.after(check_seconds * 1000, () => void tick());
  }

  return {
    /** Makes a backup. Returns the descriptor of its file, which has no name any more. Throws what `Storage.backup` throws. */
    async make(compress: boolean): Promise<number> {
      const file = join(config.data_dir, `wharf-backup-${random.uuid(clock.now())}.tmp`);
      await storage.backup(file, { compress });
      const descriptor = openSync(file, "r");
      // An open file remains readable without its name.
      rmSync(file);
      return descriptor;
    },

    /** Removes what an earlier process has left, and begins with the backups at intervals. */
    start(): void {
      if (!existsSync(config.data_dir)) return;
      for (const name of readdirSync(config.data_dir).filter((name) => temporary.test(name))) {
        rmSync(join(config.data_dir, name));
      }
      for (const name of files().filter(isLeft)) rmSync(join(folder, name), { force: true });
      if (config.backup_every_seconds > 0) void tick();
    },

    close(): void {
      is_closed = true;
      cancel();
    },
  };
}
