/** Directories and small files that are there after a power cut: what holds their names is synced, too. */

import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Errors of systems that cannot open a directory or cannot sync one (Windows, some network file systems). */
const unsupported = new Set(["EISDIR", "EPERM", "EACCES", "EINVAL", "ENOTSUP", "EOPNOTSUPP"]);

/** Makes the names in `directory` durable (fsync(2): syncing a file does not sync the entry that names it). */
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

/** Makes `path` and the directories above it that are missing, for their owner alone. */
export function makeDirectory(path: string): void {
  const topmost = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (topmost === undefined) return;
  const top = resolve(topmost);
  for (let made = resolve(path); made.length >= top.length; made = dirname(made))
    syncDirectory(dirname(made));
}

/** Writes a file whole or not at all. */
export function writeDurably(path: string, text: string): void {
  const unfinished = `${path}.new`;
  const descriptor = openSync(unfinished, "w", 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, path);
  syncDirectory(dirname(path));
}
