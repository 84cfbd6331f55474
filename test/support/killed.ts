/** Programs that are killed at any moment, and what the data directory holds afterwards. */

import { statSync } from "node:fs";
import { join } from "node:path";
import { binary } from "./binary.ts";
import { tablesIn } from "./exports.ts";
import { startBinary } from "./service.ts";

/** These tables differ between two starts: they hold times, secrets that are drawn, and the place of the file. */
const own_tables = /^(?:beacon_|clock_mark$|place$|server_secret$|signing_keys$)/;

/** Runs the binary until `moment` resolves, then kills it. Returns its status; null if it was killed. */
export async function runUntil(args: string[], moment: Promise<void>): Promise<number | null> {
  const child = Bun.spawn([binary(), ...args], { stdout: "ignore", stderr: "ignore" });
  await Promise.race([moment, child.exited]);
  child.kill("SIGKILL");
  await child.exited;
  return child.exitCode;
}

/** A lease that has ended since is removed at the start, and its room changes then. */
const changed = /("changed":)"[^"]*"/;

/**
 * Starts and stops a service. Returns the rows that the directory holds then, without the times of changes. Throws with the output of
 * a start that is refused.
 */
export async function heldAfterStart(data_dir: string): Promise<Record<string, string[]>> {
  await (await startBinary({ data_dir })).stop();
  const tables = Object.entries(tablesIn(join(data_dir, "wharf.db")));
  return Object.fromEntries(
    tables
      .filter(([name]) => !own_tables.test(name))
      .map(([name, rows]) => [name, rows.map((row) => row.replace(changed, "$1null"))]),
  );
}

/** The log has bytes for some milliseconds of a start only. */
const look_ms_max = 5_000;

/** Resolves when the log was seen to have bytes that it did not have at the call: a killed process leaves its own behind. */
export async function logWritten(directory: string): Promise<void> {
  const end = performance.now() + look_ms_max;
  const log = join(directory, "wharf.db-wal");
  const look = () => statSync(log, { throwIfNoEntry: false });
  const before_ms = look()?.mtimeMs;
  const isWritten = (seen = look()) => seen && seen.size > 0 && seen.mtimeMs !== before_ms;
  while (performance.now() < end && !isWritten()) await Bun.sleep(1);
}
