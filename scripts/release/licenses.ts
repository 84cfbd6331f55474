/** The licences of what is in the executable, as one text for the archives: most of them require that it is passed on. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./facts.ts";
import { productPackages, type Package } from "./packages.ts";

const modules = join(root, "node_modules");

/** What Bun says of itself and of the libraries that it contains. */
const of_bun = join(modules, "bun-types/docs/project/license.mdx");

/** Returns the text: the runtime first, then each package in the executable with its licence. */
export async function thirdPartyLicenses(): Promise<string> {
  const bundled = (await productPackages()).filter(({ is_bundled }) => is_bundled);
  const texts = [
    "The executable of Wharf contains the following software of others. The licence of Wharf itself is in LICENSE.",
    `Bun ${Bun.version}\n\n${readFileSync(of_bun, "utf8")
      .replace(/^---\n[\s\S]*?\n---\n/, "")
      .trim()}`,
    `SQLite ${process.versions.sqlite}\n\nSQLite is in the public domain: https://sqlite.org/copyright.html`,
    ...bundled.map(licenseOf),
  ];
  return `${texts.join(`\n\n${"=".repeat(80)}\n\n`)}\n`;
}

function licenseOf({ name, version, license, folder }: Package): string {
  const files = readdirSync(join(modules, folder)).filter((file) =>
    /^(?:licen[cs]e|copying|notice)/i.test(file),
  );
  if (files.length === 0) throw new Error(`${folder} is in the executable and has no text of its licence.`);
  const texts = files.sort().map((file) => readFileSync(join(modules, folder, file), "utf8").trim());
  return [`${name} ${version} (${license})`, ...texts].join("\n\n").replaceAll("\r\n", "\n");
}
