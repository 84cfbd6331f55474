/** How many files this process may have open (RLIMIT_NOFILE, getrlimit(2)); connections count. */

import { limits } from "./limits.ts";

/** Throws a user-facing error if the limit is too low for the service. `report`: Node's diagnostic report. */
export function checkOpenFiles(report: object): void {
  // Absent on systems without such a limit.
  const { userLimits } = report as { userLimits?: { open_files?: { soft: unknown } } };
  const files_max = userLimits?.open_files?.soft;
  if (typeof files_max !== "number" || files_max >= limits.open_files_min) return;
  throw new Error(
    `At most ${files_max} files may be open (ulimit -n). Start it with at least ${limits.open_files_min}: ` +
      "about 40 for the service, and one for each connection.",
  );
}
