/** Files that the executable contains. Imported as macros, so that the build reads them. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

const views = join(import.meta.dir, "../../views");

/** Bundles a file of `views/scripts` with what it imports into one JavaScript module. Throws if it does not compile. */
export function scriptText(file: string): string {
  // Within a macro, `Bun.build` would wait for itself.
  const command = [process.execPath, "build", "--target=browser", "--minify", join(views, "scripts", file)];
  const { success, stdout, stderr } = Bun.spawnSync(command);
  if (!success) throw new Error(stderr.toString());
  return stdout.toString();
}

/** The style sheet without comments, indentation and line breaks, which are a sixth of its bytes as they are sent. */
export const styleText = (): string =>
  readFileSync(join(views, "style.css"), "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s*\n\s*/g, "")
    .replace(/(?<=[:;,{}]) | (?=\{)/g, "");

/** A picture of `views/assets` in base64. */
export const picture = (file: string): string => readFileSync(join(views, "assets", file)).toString("base64");

/** A picture of `views/assets`, a PNG of 32 by 32 pixels, as an ICO file in base64: a directory of one entry, and the PNG. */
export function iconOf(file: string): string {
  const png = readFileSync(join(views, "assets", file));
  const [size, bits] = [32, 32];
  const directory = Buffer.alloc(22);
  // The kind (1: icon), and the number of entries.
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(1, 4);
  directory.set([size, size], 6);
  directory.writeUInt16LE(1, 10);
  directory.writeUInt16LE(bits, 12);
  directory.writeUInt32LE(png.length, 14);
  directory.writeUInt32LE(directory.length, 18);
  return Buffer.concat([directory, png]).toString("base64");
}
