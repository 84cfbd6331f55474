/** The grants of a claimed name, for the export of the name. */

import { mapChunks, pagedChunks } from "../core/chunks.ts";
import type { ExportOf } from "../discovery/feature.ts";
import type { Grants } from "./grants.ts";
import { oauth_limits } from "./limits.ts";

const of_others = ["client", "client_name", "client_host"];

export const createGrantsExport =
  (grants: Grants): ExportOf =>
  (_name, _base, caller) => {
    // A program does not see which others have a grant.
    if (caller.grant !== null) return async () => null;
    const all = pagedChunks(oauth_limits.grants_per_name_max + 1, () => grants.list(caller));
    return mapChunks(all, (some) => some.map((grant) => ({ kind: "grant", of_others, ...grant })));
  };
