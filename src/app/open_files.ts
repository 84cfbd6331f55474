/** Checks the limit of open files (RLIMIT_NOFILE, getrlimit(2)). Each connection counts as one. */

import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { app_limits } from "./limits.ts";

/** How many files this process may have open; null if the system has no such limit. `report`: Node's diagnostic report. */
export function openFilesMax(report: object): number | null {
  const { userLimits } = report as { userLimits?: { open_files?: { soft: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : null;
}

/** Throws a user-facing error if the limit is too low for the service. `report`: Node's diagnostic report. */
export function checkOpenFiles(report: object): void {
  const files_max = openFilesMax(report);
  if (files_max === null || files_max >= app_limits.open_files_min) return;
  throw new Error(
    `At most ${files_max} files may be open (ulimit -n). Start it with at least ${app_limits.open_files_min}: ` +
      "about 40 for the service, and one for each connection.",
  );
}

/**
 * Holds the file descriptors that a thread needs, until the function that it returns is called. Throws if too few are left: Bun
 * would end the process if it could not start a thread.
 */
export function reserveFiles(): () => void {
  const spare: number[] = [];
  const release = () => {
    for (const file of spare.splice(0)) closeSync(file);
  };
  try {
    while (spare.length < app_limits.open_files_per_thread) spare.push(openSync(devNull, "r"));
    return release;
  } catch (error) {
    release();
    throw new Error("No file descriptors are left for another thread.", { cause: error });
  }
}

/** Throws if too few file descriptors are left for a new thread. */
export const checkSpareFiles = (): void => reserveFiles()();
