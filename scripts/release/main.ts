/**
 * Makes a release in `dist/release`: executables, archives, packages and their checksums. `--out DIR` writes it elsewhere;
 * `--target NAME` builds the executable and the archive of that target alone, and can be repeated.
 */

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { tarGz, zip, type Entry } from "./archives.ts";
import { buildBinary, installRuntimes } from "./binaries.ts";
import { releaseFacts, root, type ReleaseFacts } from "./facts.ts";
import { writeInstaller } from "./installer.ts";
import { thirdPartyLicenses } from "./licenses.ts";
import { packListing } from "./listing.ts";
import { writeSbom } from "./sbom.ts";
import { packNpm } from "./npm.ts";
import { writeSums } from "./sums.ts";
import { targetNamed, targets, type Target } from "./targets.ts";
import { packWheels } from "./wheels.ts";

/** What is made of the executables in `<folder>/bin`, all at once: none reads what another writes. */
const packers: ((folder: string, facts: ReleaseFacts) => Promise<void> | void)[] = [
  writeInstaller,
  writeSbom,
  packListing,
  packNpm,
  packWheels,
];

const { values } = parseArgs({
  options: { out: { type: "string" }, target: { type: "string", multiple: true } },
});
const folder = resolve(values.out ?? join(root, "dist/release"));
// It is deleted first.
if (values.out && existsSync(folder) && readdirSync(folder).length > 0)
  throw new Error(`${folder} is not empty: a release is made in a folder of its own.`);
const chosen = values.target?.map(targetNamed) ?? targets;
const facts = releaseFacts();
if (!facts)
  throw new Error("A release is made from a git repository: its files have the time of the commit.");

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const licenses = join(folder, "THIRD_PARTY_LICENSES");
writeFileSync(licenses, await thirdPartyLicenses());
await installRuntimes();
// Two at a time: a build uses one CPU and half a gigabyte.
const waiting = [...chosen];
const work = async () => {
  for (let target = waiting.shift(); target; target = waiting.shift()) await makeTarget(target, facts);
};
await Promise.all([work(), work()]);
if (!values.target) await Promise.all(packers.map(async (pack) => pack(folder, facts)));
writeSums(folder);
console.log(`${folder} has the release of ${facts.version}, commit ${facts.commit}`);

/** Builds the executable of `target` and packs it with the documents; on Linux with the units of systemd, too. */
async function makeTarget(target: Target, { commit, commit_time_seconds }: ReleaseFacts): Promise<void> {
  const binary = join(folder, "bin", target.name, `wharf${target.exe}`);
  await buildBinary(target, binary, commit);
  chmodSync(binary, 0o755);

  const name = `wharf-${target.name}`;
  const units = target.os === "linux" ? ["docs/recipes/wharf.service", "docs/recipes/wharf.socket"] : [];
  const documents = ["LICENSE", "README.md", "CHANGELOG.md", ...units].map((path) => join(root, path));
  const entries: Entry[] = [binary, ...documents, licenses].map((path) => ({
    name: `${name}/${basename(path)}`,
    mode: path === binary ? 0o755 : 0o644,
    data: readFileSync(path),
  }));
  if (target.os === "win32") await zip(entries, join(folder, `${name}.zip`), commit_time_seconds);
  else await tarGz(entries, join(folder, `${name}.tar.gz`), commit_time_seconds);
}
