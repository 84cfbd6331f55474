/** The copy of a database that is made before its schema is upgraded, so that the earlier release can continue with it. */

import { Database } from "bun:sqlite";
import { readdirSync, renameSync, rmSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { storage_limits } from "../limits.ts";
import { migrations } from "../migrations.ts";
import { syncDirectory, syncFile } from "./durable.ts";
import { checkRoom } from "./space.ts";
import { messageOf, type Log } from "../../core/log.ts";

const copy_name = /^wharf\.db\.before-(\d+)(?:\.partial)?$/;

/** Whether `name` names such a copy. Copies do not count against the disk budget. */
export const isUpgradeCopy = (name: string): boolean => copy_name.test(name);

/**
 * Copies the database `file`, whose schema has version `schema_version`, to `wharf.db.before-NN` if this build will migrate it.
 * Call it under the lock of the directory, before anything opens the database. Returns a function to call after the migration.
 * Throws a user-facing error if there is no room for the copy.
 */
export function copyBeforeUpgrade(
  file: string,
  schema_version: number,
  log: Log,
  freeBytes = freeBytesBeside,
): () => void {
  if (schema_version === 0 || schema_version >= migrations.length) return () => {};
  const copy = `${file}.before-${String(schema_version).padStart(2, "0")}`;
  const versions = { from: schema_version, to: migrations.length };
  try {
    checkRoom(neededBytes(file), freeBytes(file));
    writeCopy(file, copy);
  } catch (error) {
    rmSync(`${copy}.partial`, { force: true });
    const reason = messageOf(error);
    throw new Error(
      `The database ${file} must be upgraded from schema version ${versions.from} to ${versions.to}, and the copy ${copy} ` +
        `cannot be made first: ${reason}. Nothing has been changed.`,
      { cause: error },
    );
  }
  log.info("storage.copied_before_upgrade", { copy, ...versions });
  return () => {
    log.info("storage.upgraded", versions);
    for (const old of oldCopies(dirname(file))) rmSync(old, { force: true });
  };
}

/** The bytes that a migration needs: the copy of `file` with its log, and the writes of the migration. */
function neededBytes(file: string): number {
  const sizes = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return storage_limits.disk_margin_bytes_max + sizes[0]! + sizes[1]!;
}

/** Free bytes of the disk; infinite if the system does not report them. */
function freeBytesBeside(file: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** `VACUUM INTO` reads one snapshot with the log, and leaves out the free pages, which may hold deleted texts. */
function writeCopy(file: string, copy: string): void {
  const partial = `${copy}.partial`;
  rmSync(partial, { force: true });
  const database = new Database(file, { readonly: true });
  try {
    database.run("VACUUM INTO ?", [partial]);
  } finally {
    database.close();
  }
  syncFile(partial);
  renameSync(partial, copy);
  syncDirectory(dirname(copy));
}

/** Paths of all copies in `directory` but the two of the latest versions, and of unfinished ones. */
function oldCopies(directory: string): string[] {
  const names = readdirSync(directory).filter(isUpgradeCopy);
  const finished = names.filter((name) => !name.endsWith(".partial"));
  const version = (name: string) => Number(copy_name.exec(name)![1]);
  const recent = finished.sort((a, b) => version(b) - version(a)).slice(0, storage_limits.upgrade_copies);
  return names.filter((name) => !recent.includes(name)).map((name) => `${directory}/${name}`);
}
