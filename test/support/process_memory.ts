/** The memory of a process, as Linux counts it. */

import { readFileSync } from "node:fs";

/** Its share in bytes: of all its memory (`Pss`), or without mapped files (`Pss_Anon`). */
export function memoryOf({ pid }: { pid: number }, part: "Pss" | "Pss_Anon" = "Pss"): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(new RegExp(`^${part}:\\s+(\\d+) kB`, "m").exec(text)![1]) * 1024;
}
