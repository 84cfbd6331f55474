/** The machine code that is in memory. */

import { readFileSync } from "node:fs";
import { is_linux, libc } from "./libc.ts";

/** MADV_DONTNEED (madvise(2)): the next use of a page maps it again. */
const dont_need = 4;

/** The ranges of machine code in a list of mappings (proc_pid_maps(5)): those of files that nobody can write through. */
export function codeRanges(maps: string): { start: bigint; bytes: bigint }[] {
  return [...maps.matchAll(/^([0-9a-f]+)-([0-9a-f]+) r-xp \S+ \S+ [1-9]\d* /gm)].map(([, from, to]) => {
    const start = BigInt(`0x${from}`);
    return { start, bytes: BigInt(`0x${to}`) - start };
  });
}

/**
 * Unmaps the machine code of this process, on Linux alone. Two thirds of what a start has used is not used again, and counts as memory of
 * the process. The rest is mapped again at its next use, from the system's cache of the file: some hundred faults of a microsecond.
 */
export function unmapCode(): void {
  if (!is_linux) return;
  for (const { start, bytes } of codeRanges(readFileSync("/proc/self/maps", "latin1")))
    libc().madvise(start, bytes, dont_need);
}
