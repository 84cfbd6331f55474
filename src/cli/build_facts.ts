/** What this program was built from. */

import { version } from "../../package.json" with { type: "json" };

// scripts/release/binaries.ts defines both when it builds an executable.
declare const BUILD_COMMIT: string | null;
declare const BUILD_TARGET: string | null;

export { version };
/** The hash of the commit, with "-dirty" at its end if files differed from it; null if it is not known. */
export const commit = typeof BUILD_COMMIT === "undefined" ? null : BUILD_COMMIT;
/** The system it was built for, as `linux-x64-musl`; null when it runs from source. */
export const target = typeof BUILD_TARGET === "undefined" ? null : BUILD_TARGET;
