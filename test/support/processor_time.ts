/**
 * Notes the processor time of each test file and of the programs that it runs, if TEST_TIMES names a file for that:
 * scripts/test_times.ts adds it up by folder. Loaded before each file of a run with `--parallel`.
 */

import { afterAll } from "bun:test";
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
  const file = relative(join(import.meta.dir, "../.."), Bun.main);
  const note = (of: string, begun: number) =>
    appendFileSync(times, `${of} ${(usedTicks() - begun) / ticks_per_second}\n`);
  // Programs that end after the last test of a file belong to it. Its module is gone then, its environment is not.
  const { TEST_TIMES_FILE: former, TEST_TIMES_USED: used } = process.env;
  if (former) note(former, Number(used));
  const begun = usedTicks();
  afterAll(() => {
    note(file, begun);
    process.env.TEST_TIMES_FILE = file;
    process.env.TEST_TIMES_USED = String(usedTicks());
  });
}
