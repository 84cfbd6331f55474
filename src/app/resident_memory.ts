/** What the process has in memory, and what it gives back. */

import { readFileSync } from "node:fs";
import type { Clock } from "../core/clock.ts";
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

/** How often it is measured whether the process rests. */
const check_seconds = 5;
/** The process rests if it uses less of the processor than this in that time: 1 %. */
const rest_ms_max = check_seconds * 10;
/** The work after which memory is worth giving back: some thousand requests. */
const work_ms_min = 2_000;

/**
 * Gives memory back to the system when the process rests after work: garbage, compiled code, and the pages that both leave empty. It
 * pauses the thread, so it does not happen under load. `cpuMs`: the processor time of the process.
 */
export function shrinkAtRest(clock: Pick<Clock, "after">, cpuMs: () => number, shrink: () => void): void {
  let [shrunk_ms, checked_ms] = [cpuMs(), cpuMs()];
  const check = (): void => {
    const now_ms = cpuMs();
    const rests = now_ms - checked_ms <= rest_ms_max;
    checked_ms = now_ms;
    if (rests && now_ms - shrunk_ms >= work_ms_min) {
      shrink();
      shrunk_ms = now_ms;
    }
    clock.after(check_seconds * 1000, check);
  };
  clock.after(check_seconds * 1000, check);
}
