/** Prints the processor time of the tests by folder: `TEST_TIMES=times bun run test; bun scripts/test_times.ts times`. */

import { readFileSync } from "node:fs";

const path = process.argv[2];
if (path === undefined) throw new Error("usage: bun scripts/test_times.ts <file that TEST_TIMES named>");

/** Seconds by folder, the most first. */
function byFolder(lines: string[]): [folder: string, seconds: number][] {
  const seconds = new Map<string, number>();
  for (const line of lines) {
    const [file = "", used] = line.split(" ");
    const folder = file.split("/")[1]!;
    seconds.set(folder, (seconds.get(folder) ?? 0) + Number(used));
  }
  return [...seconds].sort((a, b) => b[1] - a[1]);
}

const folders = byFolder(readFileSync(path, "utf8").trimEnd().split("\n"));
const whole = folders.reduce((sum, [, seconds]) => sum + seconds, 0);
for (const [folder, seconds] of folders) {
  const share = (100 * seconds) / whole;
  console.log(`${seconds.toFixed(1).padStart(8)} s ${share.toFixed(1).padStart(5)} %  test/${folder}`);
}
console.log(`${whole.toFixed(1).padStart(8)} s in all`);
