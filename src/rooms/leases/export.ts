/** The leases that a claimed name holds, for the export of the name. */

import { mapChunks, pagedChunks } from "../../core/chunks.ts";
import { shownTime } from "../../core/clock.ts";
import type { ExportOf } from "../../discovery/feature.ts";
import type { Leases } from "./leases.ts";
import { lease_internal_limits } from "./limits.ts";

export const createLeasesExport =
  (leases: Leases): ExportOf =>
  ({ canonical }) => {
    const { exported_per_slice } = lease_internal_limits;
    const all = pagedChunks(
      exported_per_slice,
      (last: Awaited<ReturnType<Leases["ofName"]>>[0] | undefined) =>
        leases.ofName(canonical, last?.row ?? { room: 0, fence: 0 }, exported_per_slice),
    );
    return mapChunks(all, (some) =>
      some.map(({ row: { slug, fence, purpose, taken, expires }, paths, ahead_ms }) => ({
        kind: "lease",
        room: slug,
        fence,
        paths,
        ...(purpose !== null && { purpose }),
        since: shownTime(taken, ahead_ms),
        until: shownTime(expires, ahead_ms),
      })),
    );
  };
