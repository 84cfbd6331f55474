/** What the packages of npm and of PyPI share: programs, licence and README. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./facts.ts";
import { places } from "./places.ts";
import type { Target } from "./targets.ts";

/** The program for a target, from `folder`/bin/<target>. */
export const programOf = (folder: string, { name, exe }: Target): Uint8Array =>
  readFileSync(join(folder, "bin", name, `wharf${exe}`));

/** The licences of what a program contains. */
export const thirdPartyLicensesIn = (folder: string): Uint8Array =>
  readFileSync(join(folder, "THIRD_PARTY_LICENSES"));

export const license = readFileSync(join(root, "LICENSE"));

/**
 * The text of a Markdown file, such as `docs/client.md`, as the README of a package. Its links lead to the files of this version in the
 * repository.
 */
export function readmeOf(path: string, version: string): string {
  const address = (link: string, form: "blob" | "raw") =>
    new URL(link, `${places.repository}/${form}/v${version}/${path}`).href;
  return readFileSync(join(root, path), "utf8")
    .replace(/(!\[[^\]]*\]\(|<img src=")([^)"]+)/g, (_, start, link) => start + address(link, "raw"))
    .replace(/((?<!!)\[[^\]]*\]\()([^)#][^)]*)/g, (_, start, link) => start + address(link, "blob"));
}
