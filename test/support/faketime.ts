/** A wall clock that a test sets for the binary (libfaketime); monotonic time and the uptime stay true. */

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { printSkipped } from "./programs.ts";

const library = ["x86_64-linux-gnu", "aarch64-linux-gnu"]
  .map((system) => `/usr/lib/${system}/faketime/libfaketimeMT.so.1`)
  .find(existsSync);

/** Whether libfaketime is missing. Then prints which tests are skipped. */
export function lacksFaketime(what: string): boolean {
  if (!library) printSkipped(what, "missing libfaketime (Debian: apt-get install faketime)");
  return !library;
}

export interface FakeWall {
  /** The environment of a process that sees this clock. */
  environment: Record<string, string>;
  /** Sets the clock, `+1d` or `-5s` from the true time. */
  set(offset: string): void;
}

/** A clock that is right at first. Its offset is in a file of `directory`. */
export function fakeWall(directory: string): FakeWall {
  const file = join(directory, "faketime");
  const set = (offset: string) => writeFileSync(file, offset);
  set("+0");
  return {
    environment: {
      LD_PRELOAD: library!,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      DONT_FAKE_MONOTONIC: "1",
    },
    set,
  };
}
