/** The compiled binary, `dist/wharf`. Tests use it only if it was built after the last change of the source. */

import { readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { printSkipped } from "./programs.ts";

const root = join(import.meta.dir, "../..");
export const dist = join(root, "dist");
const path = join(dist, "wharf");

/** The newest file or folder of the source. A folder is newer than the files in it if a file was removed from it. */
function newestSource(): { path: string; mtimeMs: number } {
  const folders = ["src", "views"].map((folder) => join(root, folder));
  const below = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  return [...folders, ...below]
    .map((path) => ({ path, mtimeMs: statSync(path).mtimeMs }))
    .reduce((newest, file) => (file.mtimeMs > newest.mtimeMs ? file : newest));
}

/** Why the binary cannot be used, or null. */
function faultOfBinary(): string | null {
  const built = statSync(path, { throwIfNoEntry: false });
  if (!built) return "dist/wharf is missing";
  const newest = newestSource();
  return newest.mtimeMs > built.mtimeMs ? `dist/wharf is older than ${relative(root, newest.path)}` : null;
}

const fault = faultOfBinary();

/** Whether the binary is missing or older than the source; then a line says so. For `test.skipIf(lacks_binary)`. */
export const lacks_binary =
  fault !== null && printSkipped("tests of the compiled binary", `${fault} (build it: bun run build)`);

/** The path of the binary. Throws if it is missing or older than the source. */
export function binary(): string {
  if (fault !== null) throw new Error(`${fault}. Build it first: bun run build`);
  return path;
}

/** The program and its first arguments: the binary, or the source if that is newer. */
export const wharf_command = fault === null ? [path] : [process.execPath, join(root, "src/main.ts")];
