/** Creates directories and small files that survive a power cut: the directory above them is synced, too. */

import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Errors of systems that cannot open or sync a directory (Windows, some network file systems). */
const unsupported = new Set(["EISDIR", "EPERM", "EACCES", "EINVAL", "ENOTSUP", "EOPNOTSUPP"]);

/** Makes the entries of `directory` durable: syncing a file does not sync its directory entry (fsync(2)). */
export function syncDirectory(directory: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(directory, "r");
    fsyncSync(descriptor);
  } catch (error) {
    if (!unsupported.has((error as { code?: string }).code ?? "")) throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Makes the content of the file `path` durable. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Creates `path` and the missing directories above it with mode 0700. */
export function makeDirectory(path: string): void {
  const topmost = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (topmost === undefined) return;
  const top = resolve(topmost);
  for (let made = resolve(path); made.length >= top.length; made = dirname(made))
    syncDirectory(dirname(made));
}

/** Writes all of `bytes` at the position of the file: a write to a disk that is almost full may be short. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
}

/** Writes a file atomically and durably: writes and syncs `path.new`, then renames it. */
export function writeDurably(path: string, text: string): void {
  const unfinished = `${path}.new`;
  const descriptor = openSync(unfinished, "w", 0o600);
  try {
    writeAll(descriptor, Buffer.from(text));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, path);
  syncDirectory(dirname(path));
}
