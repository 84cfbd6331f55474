/** Checks of the data directory: its files, who may read them, and the disk that it is on. */

import { existsSync, lstatSync, readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { storage_limits } from "../storage/limits.ts";
import { checkDirectory, type FoundDirectory } from "../storage/sqlite/directory_check.ts";
import { freeSpace, sizeBelow } from "../storage/sqlite/disk_budget.ts";
import { remedyOf } from "../core/failures.ts";
import type { Clock } from "../core/clock.ts";
import type { Config } from "../core/settings.ts";
import { messageOf } from "../core/log.ts";
import { findingsOf, sizeText, type Finding } from "./finding.ts";

type Settings = Pick<Config, "data_dir" | "disk_max_bytes" | "disk_min_free_bytes">;

/** Whether the files belong together, and were closed. `is_running`: whether a service uses them now. */
export function checkFiles({ data_dir }: Settings, is_running: boolean, clock: Clock): Finding {
  const { ok, warning, failed } = findingsOf("data-directory");
  const has_database = existsSync(join(data_dir, "wharf.db"));
  // While a service writes them, its files may not agree for a moment.
  if (has_database && is_running) return ok(`${data_dir} holds an instance.`);
  let found: FoundDirectory;
  try {
    found = checkDirectory(data_dir, { clock });
  } catch (error) {
    return failed(messageOf(error), remedyOf(error) ?? "Nothing was changed. Follow the message.");
  }
  if (!has_database) {
    return failed(
      `There is no wharf.db in ${data_dir}.`,
      "Name the directory with --data-dir; a first start of wharf serve creates it.",
    );
  }
  if (!found.was_cut_short) return ok(`${data_dir} holds an instance.`);
  const { doubt } = found.log;
  return warning(
    `${data_dir} was not closed: its service was killed, or the machine failed.${doubt === null ? "" : ` ${doubt}.`}`,
    "Start the service. It applies the log, and checks the whole database while it runs.",
  );
}

/** Whether others than the owner may open the files. `user`: the id of the user who runs the doctor; null if unknown. */
export function checkPermissions({ data_dir }: Settings, user: number | null): Finding {
  const { ok, failed } = findingsOf("permissions");
  const paths = [
    data_dir,
    ...readdirSync(data_dir)
      .filter((name) => name.startsWith("wharf."))
      .map((name) => join(data_dir, name)),
  ];
  const found = paths.flatMap((path) => {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat ? [{ path, stat }] : [];
  });
  const open = found.filter(({ stat }) => (stat.mode & 0o077) !== 0);
  if (open.length > 0) {
    return failed(
      `Other users of this machine may open ${open.map(({ path }) => path).join(", ")}: keys and private slots are in there.`,
      `Run: chmod -R go= ${data_dir}`,
    );
  }
  const foreign = user === null || user === 0 ? [] : found.filter(({ stat }) => stat.uid !== user);
  if (foreign.length > 0) {
    return failed(
      `${foreign.map(({ path }) => path).join(", ")} belongs to another user, who alone can write it.`,
      `Run the service and wharf as that user, or: chown -R ${user} ${data_dir}`,
    );
  }
  return ok("Only its owner may open the files.");
}

/** Whether there is room for writes. `reusable_bytes`: free pages of the database, which writes use first. */
export function checkDisk(
  { data_dir, disk_max_bytes, disk_min_free_bytes }: Settings,
  reusable_bytes: number,
): Finding {
  const { ok, warning, failed } = findingsOf("disk");
  const used_bytes = sizeBelow(data_dir, new Set()) - reusable_bytes;
  const { free_bytes, min_free_bytes } = freeSpace(data_dir, disk_min_free_bytes);
  const room_bytes = Math.min(
    disk_max_bytes === 0 ? Infinity : disk_max_bytes - used_bytes,
    free_bytes === null || min_free_bytes === 0 ? Infinity : free_bytes + reusable_bytes - min_free_bytes,
  );
  const use = `The instance uses ${sizeText(used_bytes)}; ${free_bytes === null ? "the free space is unknown" : `${sizeText(free_bytes)} are free`}`;
  const remedy = "Free space on the disk, raise --disk-max, or remove old rooms and posts (wharf retention).";
  if (room_bytes <= 0) return failed(`${use}: writes are refused.`, remedy);
  if (room_bytes < used_bytes / 4)
    return warning(`${use}: writes are refused after another ${sizeText(room_bytes)}.`, remedy);
  return ok(`${use}.`);
}

/** Kinds of file systems by their number (statfs(2)) on which a database does not last or is not safe. */
const unsafe_file_systems: Record<number, [name: string, reason: string]> = {
  0x01021994: ["tmpfs", "it is in memory, and lost when the machine stops"],
  0x858458f6: ["ramfs", "it is in memory, and lost when the machine stops"],
  0x794c7630: ["overlay", "it is the container's own layer, and lost with the container"],
  0x6969: ["nfs", "locks and syncs over a network do not protect SQLite"],
  0xff534d42: ["cifs", "locks and syncs over a network do not protect SQLite"],
  0xfe534d42: ["smb2", "locks and syncs over a network do not protect SQLite"],
  0x01021997: ["9p", "locks and syncs over a network do not protect SQLite"],
};

/** Whether writes stay on the disk. `typeOf` returns the number of the kind of file system. */
export function checkFileSystem(
  { data_dir }: Settings,
  typeOf: (path: string) => number = (path) => statfsSync(path).type,
): Finding {
  const { ok, warning } = findingsOf("file-system");
  const unsafe = unsafe_file_systems[typeOf(data_dir) >>> 0];
  if (!unsafe) return ok("The file system keeps what is written.");
  const [name, reason] = unsafe;
  return warning(
    `${data_dir} is on a file system of the kind ${name}: ${reason}.`,
    "Put the data directory on a local disk; in a container, mount a volume there.",
  );
}

/** Whether the write-ahead log is within its bound. */
export function checkLogFile({ data_dir }: Settings, is_running: boolean): Finding {
  const { ok, warning } = findingsOf("log-file");
  const bytes = statSync(join(data_dir, "wharf.db-wal"), { throwIfNoEntry: false })?.size ?? 0;
  if (bytes <= 2 * storage_limits.wal_bytes_max) return ok(`The log has ${sizeText(bytes)}.`);
  return warning(
    `The log wharf.db-wal has ${sizeText(bytes)}; its bound is ${sizeText(storage_limits.wal_bytes_max)}.`,
    is_running
      ? "Another program reads the database for long: end it. The service then empties the log."
      : "Start the service: it empties the log.",
  );
}
