/** Metrics of the files. */

import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Meter } from "../../core/meter.ts";

/** Adds the sizes of the database `file`, of its log and of the free space on its disk. */
export function measureFiles(meter: Meter, file: string): void {
  const gauge = (name: string, help: string, read: () => number) =>
    meter.reading({ name, help, type: "gauge" }, read);
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  gauge("wharf_database_bytes", "Size of the database file.", () => sizeOf(file));
  gauge("wharf_log_bytes", "Size of the write-ahead log.", () => sizeOf(`${file}-wal`));
  gauge("wharf_disk_free_bytes", "Space that is free on the disk of the data directory.", () => {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize;
  });
}
