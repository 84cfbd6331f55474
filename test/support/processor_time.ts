/**
 * Notes the processor time of each test file and of the programs that it runs, if TEST_TIMES names a file for that:
 * scripts/test_times.ts adds it up by folder. The hooks run around each file of a run with `--parallel`.
 */

import { afterAll, beforeAll } from "bun:test";
import { appendFileSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const ticks_per_second = 100;

/** The processor time of this process and of its children that have ended: fields 14 to 17 of proc_pid_stat(5). */
function usedTicks(): number {
  const fields = readFileSync("/proc/self/stat", "latin1")
    .replace(/^.*\) /s, "")
    .split(" ");
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

const times = process.env.TEST_TIMES;
if (times) {
  let file = "";
  let begun = 0;
  const note = () => appendFileSync(times, `${file} ${(usedTicks() - begun) / ticks_per_second}\n`);
  beforeAll(() => {
    // What was used between two files counts for the first: programs that ended late, and reading the second.
    if (file) note();
    file = relative(join(import.meta.dir, "../.."), Bun.main);
    begun = usedTicks();
  });
  afterAll(() => {
    note();
    begun = usedTicks();
  });
}
