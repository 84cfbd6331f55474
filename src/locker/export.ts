/** The slots of a claimed name with their values, for the export of the name. */

import { mapChunks, pagedChunks } from "../core/chunks.ts";
import { hideSecrets } from "../core/secrets.ts";
import type { ExportOf } from "../discovery/feature.ts";
import { locker_internal_limits } from "./limits.ts";
import type { Lockers } from "./locker.ts";
import { publicUrl, slot } from "./representations.ts";
import type { SlotRow } from "./store.ts";

/** A private slot may contain a key, which is for the owner's next call and for no file. */
function lineOf(row: SlotRow, url: string) {
  const value = hideSecrets(row.value);
  return {
    kind: "slot",
    ...slot(row),
    value,
    ...(value !== row.value && { keys_hidden: true }),
    ...(row.public === 1 && { url }),
  };
}

export const createLockerExport =
  (lockers: Lockers): ExportOf =>
  ({ name, canonical }, base) => {
    const limit = locker_internal_limits.exported_per_slice;
    const slots = pagedChunks(limit, (last: SlotRow | undefined) =>
      lockers.withValues(canonical, last?.slot ?? "", limit),
    );
    return mapChunks(slots, (rows) => rows.map((row) => lineOf(row, publicUrl(base, name, row.slot))));
  };
