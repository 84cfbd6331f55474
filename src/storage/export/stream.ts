/** An export of a copy of the database, made while its reader takes it. */

import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { ExportOptions, ExportStream } from "../../core/storage.ts";
import { exportPieces } from "./writer.ts";

/**
 * Where the copy for an export is made. `id`: of this export alone, where no lock of the directory says that nobody else makes one. What
 * a killed process leaves is removed at a start.
 */
export const exportCopy = (directory: string, id?: string): string =>
  join(directory, `wharf.db.export${id === undefined ? "" : `-${id}`}`);

const utf8 = new TextEncoder();

/** Exports the database file `copy`, whose name it removes: the file is gone when the stream ends, also with the process. */
export function exportStream(copy: string, options: ExportOptions): ExportStream {
  const database = new Database(copy, { readonly: true, safeIntegers: true });
  rmSync(copy);
  const pieces = exportPieces(database, options);
  let is_open = true;
  const cancel = (): void => {
    if (!is_open) return;
    is_open = false;
    pieces.return(undefined);
    database.close();
  };
  return {
    next() {
      const { value, done } = pieces.next();
      if (!done) return utf8.encode(value);
      cancel();
      return null;
    },
    cancel,
  };
}
