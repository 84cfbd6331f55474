/** Writes wharf.cdx.json, the bill of materials in CycloneDX 1.6: https://cyclonedx.org/docs/1.6/json/ */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { description, license } from "../../package.json" with { type: "json" };
import type { ReleaseFacts } from "./facts.ts";
import { productPackages, type Package } from "./packages.ts";
import { places } from "./places.ts";

/** Writes the document to `folder`. The same commit gives the same bytes: even the serial number is derived from it. */
export async function writeSbom(folder: string, facts: ReleaseFacts): Promise<void> {
  const document = sbomOf(facts, await productPackages());
  writeFileSync(join(folder, "wharf.cdx.json"), `${JSON.stringify(document, null, 2)}\n`);
}

function sbomOf({ version, commit, commit_time_seconds }: ReleaseFacts, packages: Package[]): object {
  const { repository } = places;
  const product = `pkg:github/${new URL(repository).pathname.slice(1)}@${commit}`;
  const in_product = packages.map(purlOf);
  const purls = new Map(packages.map((one) => [one.folder, purlOf(one)]));
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${Bun.randomUUIDv5(`${repository}/commit/${commit}`, "url")}`,
    version: 1,
    metadata: {
      timestamp: new Date(commit_time_seconds * 1000).toISOString(),
      lifecycles: [{ phase: "build" }],
      component: {
        type: "application",
        "bom-ref": product,
        name: "wharf",
        version,
        description,
        licenses: [{ license: { id: license } }],
        purl: product,
        externalReferences: [{ type: "vcs", url: repository }],
      },
    },
    components: [...runtimes, ...unique(packages.map(componentOf), (one) => one.purl)],
    dependencies: [
      { ref: product, dependsOn: unique([bun_purl, ...in_product], (purl) => purl) },
      { ref: bun_purl, dependsOn: [sqlite_purl] },
      { ref: sqlite_purl },
      ...unique(
        packages.map((one) => ({
          ref: purlOf(one),
          dependsOn: one.depends_on.map((folder) => purls.get(folder)!),
        })),
        ({ ref }) => ref,
      ),
    ],
  };
}

const bun_purl = `pkg:github/oven-sh/bun@bun-v${Bun.version}`;
const sqlite_purl = `pkg:generic/sqlite@${process.versions.sqlite}`;

/** What executes the code of the packages, and what it has inside for the database. */
const runtimes = [
  {
    type: "platform",
    "bom-ref": bun_purl,
    name: "bun",
    version: Bun.version,
    description: "The runtime in the executable. THIRD_PARTY_LICENSES lists the libraries that it contains.",
    scope: "required",
    licenses: [{ license: { id: "MIT" } }],
    purl: bun_purl,
  },
  {
    type: "library",
    "bom-ref": sqlite_purl,
    name: "sqlite",
    version: process.versions.sqlite,
    description: "The database in the runtime. On macOS the runtime uses that of the system.",
    scope: "required",
    licenses: [{ license: { id: "blessing" } }],
    purl: sqlite_purl,
  },
];

const purlOf = ({ name, version }: Package): string => `pkg:npm/${name.replace("@", "%40")}@${version}`;

const componentOf = (one: Package) => {
  const purl = purlOf(one);
  const [group, name] = one.name.startsWith("@") ? one.name.split("/") : [undefined, one.name];
  return {
    type: "library",
    "bom-ref": purl,
    ...(group !== undefined && { group }),
    name: name!,
    version: one.version,
    // Excluded: installed with the product, and not in the executable.
    scope: one.is_bundled ? "required" : "excluded",
    hashes: [{ alg: "SHA-512", content: one.sha512 }],
    licenses: [/[ (]/.test(one.license) ? { expression: one.license } : { license: { id: one.license } }],
    purl,
  };
};

/** The first of those with the same key: a version of a package may be installed in two folders. */
const unique = <One>(all: One[], keyOf: (one: One) => string): One[] =>
  [...new Map(all.toReversed().map((one) => [keyOf(one), one])).values()].toReversed();
