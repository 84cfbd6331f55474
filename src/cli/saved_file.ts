/** Writes an export to a new file or to standard output. */

import { closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { withReason } from "../core/log.ts";
import { syncDirectory, syncFile, writeAll } from "../storage/sqlite/durable.ts";

/** A file name that means standard input or standard output. */
export const standard = "-";

type Write = (bytes: Uint8Array) => void | Promise<void>;

/** Throws if there is a file of this name. */
export function refuseOldFile(file: string): void {
  if (file !== standard && existsSync(file)) throw new Error(`${file} exists already: name another file.`);
}

/** Runs `run`, which writes all bytes of `file` and checks them. Returns its result. */
export const saveTo = <Result>(file: string, run: (write: Write) => Promise<Result>): Promise<Result> =>
  file === standard ? toStandardOutput(run) : toFile(file, run);

/** Passes the bytes of `body` on when they are written. */
export async function* written(body: AsyncIterable<Uint8Array>, write: Write): AsyncGenerator<Uint8Array> {
  for await (const bytes of body) {
    await write(bytes);
    yield bytes;
  }
}

async function toStandardOutput<Result>(run: (write: Write) => Promise<Result>): Promise<Result> {
  const output = Bun.stdout.writer();
  return run(async (bytes) => {
    await output.write(bytes);
    await output.flush();
  });
}

/** Writes a file that only its owner reads, and that gets its name when it is whole and durable. */
async function toFile<Result>(file: string, run: (write: Write) => Promise<Result>): Promise<Result> {
  const partial = `${file}.partial`;
  const descriptor = openSync(partial, "wx", 0o600);
  try {
    const result = await run((bytes) => writeAll(descriptor, bytes)).finally(() => closeSync(descriptor));
    syncFile(partial);
    renameSync(partial, file);
    syncDirectory(dirname(file));
    return result;
  } catch (error) {
    rmSync(partial, { force: true });
    throw withReason(`${file} cannot be written`, error);
  }
}
