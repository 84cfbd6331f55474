/** A disk that fails on command: disk.c, compiled and loaded between the binary and its libc. */

import { test } from "bun:test";
import { closeSync, openSync, readSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { lacks, printSkipped } from "./programs.ts";
import { dist } from "./binary.ts";
import { newDirectory, removeDirectory } from "./service.ts";

const no_compiler =
  process.platform === "linux"
    ? lacks("a failing disk", "gcc")
    : printSkipped("a failing disk", "it needs Linux");

/** `test`, or a skipped one if there is no compiler for disk.c. */
export const testWithDisk = test.skipIf(no_compiler);

/** The fields of `struct control` in disk.c, in their order. */
const fields = ["failing_syncs", "full", "syncs", "refused", "cut_after", "syncing", "seed", "keep"] as const;
type Field = (typeof fields)[number];

/** The effect of a sync before a power cut. */
export const syncing = { honest: 0, lying: 1, normal: 2 } as const;

let library: Promise<string> | undefined;

async function compile(): Promise<string> {
  const path = join(dist, "disk.so");
  const source = join(import.meta.dir, "disk.c");
  // Other workers may load it while this one compiles.
  const unfinished = `${path}.${process.pid}`;
  await Bun.$`gcc -O2 -Wall -Werror -shared -fPIC -o ${unfinished} ${source} -ldl`.quiet();
  renameSync(unfinished, path);
  return path;
}

/** One failing disk. Any number of processes may be started on it, one after another. */
export class Disk {
  readonly #directory = newDirectory();
  readonly #control: number;
  readonly #library: string;

  private constructor(library: string) {
    this.#library = library;
    const path = join(this.#directory, "control");
    writeFileSync(path, new Uint8Array(4096));
    this.#control = openSync(path, "r+");
  }

  static async make(): Promise<Disk> {
    return new Disk(await (library ??= compile()));
  }

  /** The environment of a process that runs on this disk. */
  get environment(): Record<string, string> {
    return { LD_PRELOAD: this.#library, DISK_CONTROL: join(this.#directory, "control") };
  }

  set(field: Field, value: number): void {
    writeSync(this.#control, new Int32Array([value]), 0, 4, 4 * fields.indexOf(field));
  }

  get(field: Field): number {
    const value = new Int32Array(1);
    readSync(this.#control, value, 0, 4, 4 * fields.indexOf(field));
    return value[0]!;
  }

  remove(): void {
    closeSync(this.#control);
    removeDirectory(this.#directory);
  }
}
