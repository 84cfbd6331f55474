/**
 * What the release workflow has to know of a tag: `bun scripts/release/tag.ts v1.2.3 notes.md` prints lines of `name=value` and writes the
 * text of the release. Ends with status 1 if the tag, package.json, the changelog and the repository do not agree.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageFile from "../../package.json" with { type: "json" };
import { root } from "./facts.ts";
import { places } from "./places.ts";

/** The text below the heading of `version` in `changelog`. Throws if there is none. */
export function notesOf(changelog: string, version: string): string {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((text) => text.split(/\s/, 1)[0] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version} - <date>".`);
  const [heading, ...lines] = section.split("\n");
  if (!/^\S+ - \d{4}-\d{2}-\d{2}$/.test(heading!)) throw new Error(`"## ${heading}" has no date.`);
  const notes = lines.join("\n").trim();
  if (notes === "") throw new Error(`The section of ${version} in CHANGELOG.md is empty.`);
  return notes;
}

/**
 * What a tag publishes: `tags` are those of the image, `npm_tag` that of npm. A prerelease is nobody's default. `repository` is the address
 * of the repository that publishes. Throws if the tag is not that of `version`, or if this is another repository than that of places.ts.
 */
export function planOf(tag: string, version: string, repository: string): Record<string, string> {
  if (tag !== `v${version}`)
    throw new Error(`The tag ${tag} is not v${version}, the version in package.json.`);
  if (repository !== places.repository)
    throw new Error(`${repository} is not ${places.repository}: a fork changes scripts/release/places.ts.`);
  const is_prerelease = version.includes("-");
  const tags = is_prerelease ? [version] : [version, version.replace(/\.\d+$/, ""), "latest"];
  return {
    prerelease: String(is_prerelease),
    tags: tags.map((name) => `${places.image}:${name}`).join(","),
    image: places.image,
    npm_tag: is_prerelease ? "next" : "latest",
  };
}

if (import.meta.main) {
  const [tag, path] = process.argv.slice(2) as [string, string];
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  try {
    const plan = planOf(tag, packageFile.version, `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`);
    const notes = notesOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"), packageFile.version);
    writeFileSync(path, `${notes}\n`);
    for (const [name, value] of Object.entries(plan)) console.log(`${name}=${value}`);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
