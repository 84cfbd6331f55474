/**
 * Prints the processor time of the tests by folder, and fails if a folder takes more than its share of the whole:
 * `TEST_TIMES=times bun run test; bun scripts/test_times.ts times`. Shares, because machines differ.
 */

import { readFileSync } from "node:fs";

/** The most that a folder may take, in percent of the processor time of `bun run test`. */
const shares: Record<string, number> = {
  scenarios: 30,
  storage: 20,
  web: 11,
  mcp: 10,
  cli: 9,
  // With leases.
  rooms: 11,
  dev: 8,
};
const share_of_others = 6;

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
let exceeded = 0;
for (const [folder, seconds] of folders) {
  const share = (100 * seconds) / whole;
  const most = shares[folder] ?? share_of_others;
  const verdict = share > most ? `  (fail) its share is ${most} %` : "";
  if (verdict) exceeded++;
  console.log(
    `${seconds.toFixed(1).padStart(8)} s ${share.toFixed(1).padStart(5)} %  test/${folder}${verdict}`,
  );
}
console.log(`${whole.toFixed(1).padStart(8)} s in all`);
process.exitCode = exceeded > 0 ? 1 : 0;
