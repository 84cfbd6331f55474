/** The files that `wharf setup` changes: reading them, whether they can be changed, and changing them atomically. */

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { userInfo } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { withReason } from "../../core/log.ts";
import { makeDirectory, syncDirectory, writeAll } from "../../storage/sqlite/durable.ts";

/** How many links a path may lead through. */
const links_max = 40;

/** The path of a file with its links resolved, also if there is no such file. */
export function targetOf(file: string, links = links_max): string {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() && !existsSync(file) && links > 0)
    return targetOf(resolve(dirname(file), readlinkSync(file)), links - 1);
  if (found) return realpathSync(file);
  const folder = dirname(file);
  return folder === file ? file : join(targetOf(folder, links), basename(file));
}

/** The bytes of a file; null if there is none. Throws a user-facing error. */
export function readBytes(file: string): Uint8Array | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return null;
    throw withReason(`${file} cannot be read`, error);
  }
}

/** Throws a user-facing error unless this user can replace the file, or make it. */
export function checkWritable(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  try {
    if (found) accessSync(file, constants.R_OK | constants.W_OK);
    accessSync(existingFolder(dirname(file)), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw withReason(`${file} cannot be changed`, error);
  }
  if (found && !found.isFile()) throw new Error(`${file} cannot be changed: it is no file.`);
  const { uid } = userInfo();
  if (found && uid > 0 && found.uid !== uid)
    throw new Error(`${file} cannot be changed: it belongs to another user. Run wharf as that user.`);
}

const existingFolder = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : existingFolder(dirname(folder));

/** The folders that must be made for a file, the outermost first. */
export function missingFolders(file: string): string[] {
  const folder = dirname(file);
  return existsSync(folder) || folder === file ? [] : [...missingFolders(folder), folder];
}

const unfinished = (file: string): string => `${file}.wharf-new`;

/** Removes what a run that was killed has left of a file. */
export const removeUnfinished = (file: string): void => rmSync(unfinished(file), { force: true });

/** Writes a file atomically and durably, with the mode and the owner that it has; a new one is for its owner alone. Throws a user-facing error. */
export function replaceFile(file: string, bytes: Uint8Array): void {
  try {
    const before = statSync(file, { throwIfNoEntry: false });
    makeDirectory(dirname(file));
    const descriptor = openSync(unfinished(file), "w", 0o600);
    try {
      writeAll(descriptor, bytes);
      if (before) {
        fchownSync(descriptor, before.uid, before.gid);
        fchmodSync(descriptor, before.mode);
      }
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(unfinished(file), file);
    syncDirectory(dirname(file));
  } catch (error) {
    removeUnfinished(file);
    throw withReason(`${file} cannot be written`, error);
  }
}

/** Removes a file. Throws a user-facing error. */
export function removeFile(file: string): void {
  try {
    rmSync(file, { force: true });
    syncDirectory(dirname(file));
  } catch (error) {
    throw withReason(`${file} cannot be removed`, error);
  }
}

/** Removes those of the folders that are empty, from the innermost. Returns those that remain. */
export const removeEmptyFolders = (folders: readonly string[]): string[] =>
  folders.toSorted((a, b) => b.length - a.length).filter((folder) => !isRemoved(folder));

function isRemoved(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === "ENOENT";
  }
}
