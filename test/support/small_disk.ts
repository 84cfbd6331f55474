/** A small file system for tests, in memory. */

import { newDirectory, removeDirectory } from "./service.ts";

/** Mounts a file system of `megabytes`; undefined if this user may not mount any. */
export function smallDisk(megabytes: number): { directory: string; unmount: () => void } | undefined {
  const directory = newDirectory();
  const mount = ["mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", directory];
  if (Bun.spawnSync(mount, { stderr: "ignore" }).exitCode !== 0) {
    removeDirectory(directory);
    return undefined;
  }
  return {
    directory,
    unmount() {
      Bun.spawnSync(["umount", directory]);
      removeDirectory(directory);
    },
  };
}
