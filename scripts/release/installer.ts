/** Writes install.sh and the Dockerfile of a release: their templates with the places, the version and the targets. */

import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { description, license, packageManager } from "../../package.json" with { type: "json" };
import type { ReleaseFacts } from "./facts.ts";
import { mcp_name, places } from "./places.ts";
import { targets } from "./targets.ts";

/** Names of targets, with spaces between and without Windows, which install.sh does not install for. */
const names = (chosen: typeof targets): string =>
  chosen
    .filter(({ os }) => os !== "win32")
    .map(({ name }) => name)
    .join(" ");

/** Writes both files into `folder`. Throws if a template has a word between @ signs that has no value. */
export function writeInstaller(folder: string, { version, commit }: ReleaseFacts): void {
  const values: Record<string, string> = {
    REPOSITORY: places.repository,
    IMAGE: places.image,
    VERSION: version,
    COMMIT: commit,
    DESCRIPTION: description,
    LICENSE: license,
    BUN: packageManager,
    LISTED: mcp_name,
    TARGETS: names(targets),
    EXPERIMENTAL: names(targets.filter(({ experimental }) => experimental)),
  };
  for (const [name, mode] of [
    ["install.sh", 0o755],
    ["Dockerfile", 0o644],
  ] as const) {
    const template = readFileSync(join(import.meta.dir, name), "utf8");
    const text = template.replace(/@([A-Z]+)@/g, (word, key: string) => {
      if (values[key] === undefined) throw new Error(`${name}: ${word} has no value.`);
      return values[key];
    });
    writeFileSync(join(folder, name), text);
    chmodSync(join(folder, name), mode);
  }
}
