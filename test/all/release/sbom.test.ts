/** The bill of materials: valid for a validator of others, complete by what is really installed and bundled, the same on two runs. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { thirdPartyLicenses } from "../../../scripts/release/licenses.ts";
import { entries } from "../../../scripts/release/binaries.ts";
import { writeSbom } from "../../../scripts/release/sbom.ts";
import { install_timeout_ms, lacks_python, pythonWith } from "../../support/python.ts";
import { lacks_release, release, release_timeout_ms } from "../../support/release.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

const root = join(import.meta.dir, "../../..");
const facts = {
  version: "0.1.0",
  commit: "0123456789abcdef0123456789abcdef01234567",
  commit_time_seconds: 1_790_000_000,
};

interface Component {
  name: string;
  group?: string;
  version: string;
  purl: string;
  scope: string;
  hashes?: { alg: string; content: string }[];
  licenses: { license?: { id: string }; expression?: string }[];
}
interface Sbom {
  serialNumber: string;
  metadata: { timestamp: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

const directory = newDirectory();
const file = join(directory, "wharf.cdx.json");
let sbom: Sbom;
let packages: Component[];
beforeAll(async () => {
  await writeSbom(directory, facts);
  sbom = JSON.parse(readFileSync(file, "utf8")) as Sbom;
  packages = sbom.components.filter(({ purl }) => purl.startsWith("pkg:npm/"));
});
afterAll(() => removeDirectory(directory));

/** name@version of a component. */
const idOf = ({ group, name, version }: Component): string =>
  `${group === undefined ? "" : `${group}/`}${name}@${version}`;
const manifestAt = (path: string) =>
  JSON.parse(readFileSync(path, "utf8")) as { name: string; version: string; license: string };

async function bun(args: string[], cwd: string): Promise<void> {
  const child = Bun.spawn([process.execPath, ...args], { cwd, stdout: "pipe", stderr: "pipe" });
  const [out, errors, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (status !== 0) throw new Error(out + errors);
}

describe("what is in it", () => {
  /** The packages that a production install in an empty folder brings, with their folders. */
  let installed: Map<string, string>;
  beforeAll(async () => {
    const folder = join(directory, "installed");
    mkdirSync(folder);
    for (const name of ["package.json", "bun.lock"]) cpSync(join(root, name), join(folder, name));
    await bun(["install", "--frozen-lockfile", "--production", "--silent", "--ignore-scripts"], folder);
    installed = new Map(
      [...new Bun.Glob("**/package.json").scanSync(join(folder, "node_modules"))]
        .filter((path) =>
          /^(?:(?:@[^/]+\/)?[^/]+\/node_modules\/)*(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(path),
        )
        .map((path) => join(folder, "node_modules", path))
        .map((path) => [path, manifestAt(path)] as const)
        .map(([path, { name, version }]) => [`${name}@${version}`, path]),
    );
  }, install_timeout_ms);

  test("is every package that a production install brings, and no package of development alone", () => {
    expect(installed.size).toBeGreaterThan(40);
    expect(packages.map(idOf).toSorted()).toEqual([...installed.keys()].toSorted());
  });

  test("has the licence that each package names", () => {
    for (const one of packages) {
      const [{ license, expression } = {}] = one.licenses;
      expect([idOf(one), license?.id ?? expression]).toEqual([
        idOf(one),
        manifestAt(installed.get(idOf(one))!).license,
      ]);
    }
  });

  test("has the hash by which the lock file pins each package", () => {
    const lock = readFileSync(join(root, "bun.lock"), "utf8");
    for (const one of packages) {
      const [{ alg, content } = { alg: "", content: "" }] = one.hashes!;
      const integrity = Buffer.from(content, "hex").toString("base64");
      expect([idOf(one), alg]).toEqual([idOf(one), "SHA-512"]);
      const line = lock
        .split("\n")
        .find((text) => text.includes(`["${idOf(one)}"`) && text.includes(integrity));
      expect([idOf(one), line !== undefined]).toEqual([idOf(one), true]);
    }
  });

  test("says which packages have code in the executable: a mark in each file of a package comes into the bundle", async () => {
    const folder = join(directory, "marked");
    mkdirSync(folder);
    // Copied, because the bundler follows symbolic links to the packages beside the source.
    for (const name of ["src", "views", "docs", "package.json", "tsconfig.json"]) {
      cpSync(join(root, name), join(folder, name), { recursive: true });
    }
    const modules = join(folder, "node_modules");
    cpSync(join(directory, "installed/node_modules"), modules, { recursive: true });
    for (const path of installed.values()) {
      const of_package = join(modules, dirname(path).slice(join(directory, "installed/node_modules").length));
      const { name, version } = manifestAt(path);
      for (const script of new Bun.Glob("**/*.{js,mjs,cjs}").scanSync(of_package)) {
        if (script.includes("node_modules/")) continue;
        appendFileSync(join(of_package, script), `\n;globalThis.marked = "mark of ${name}@${version}";\n`);
      }
    }
    await bun(["build", "--target=bun", "--outdir", join(folder, "out"), ...entries], folder);
    const bundle = [...new Bun.Glob("**/*.js").scanSync(join(folder, "out"))]
      .map((path) => readFileSync(join(folder, "out", path), "utf8"))
      .join("\n");
    const marked = new Set(Array.from(bundle.matchAll(/"mark of ([^"]+)"/g), ([, id]) => id!));
    const required = packages.filter(({ scope }) => scope === "required").map(idOf);
    expect(packages.length).toBeGreaterThan(required.length);
    expect([...marked].toSorted()).toEqual(required.toSorted());
  }, 120_000);

  test("is the runtime and its database, with the versions that run here", () => {
    const runtimes = sbom.components.filter((one) => !packages.includes(one));
    expect(runtimes.map(idOf)).toEqual([`bun@${Bun.version}`, `sqlite@${process.versions.sqlite}`]);
  });

  test("depends on components that are listed, and every component is reached from the product", () => {
    const known = new Map(sbom.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
    const reached = new Set<string>();
    const visit = (ref: string) => {
      if (reached.has(ref)) return;
      reached.add(ref);
      known.get(ref)!.forEach(visit);
    };
    visit(sbom.metadata.component.purl);
    expect([...reached].toSorted()).toEqual(
      [sbom.metadata.component.purl, ...sbom.components.map(({ purl }) => purl)].toSorted(),
    );
  });
});

test("is the same on two runs, has the time of the commit, and another serial number for another commit", async () => {
  const again = newDirectory();
  await writeSbom(again, facts);
  expect(readFileSync(join(again, "wharf.cdx.json"), "utf8")).toBe(readFileSync(file, "utf8"));
  expect(sbom.metadata.timestamp).toBe(new Date(facts.commit_time_seconds * 1000).toISOString());
  expect(sbom.serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  await writeSbom(again, { ...facts, commit: "f".repeat(40) });
  const other = JSON.parse(readFileSync(join(again, "wharf.cdx.json"), "utf8")) as Sbom;
  expect(other.serialNumber).not.toBe(sbom.serialNumber);
  removeDirectory(again);
});

describe("the validator of CycloneDX for Python", () => {
  const program = `
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
print(JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read()))
`;
  let python: string;
  beforeAll(() => {
    if (!lacks_python) python = pythonWith("11.12.0", "cyclonedx-python-lib[json-validation]");
  }, install_timeout_ms);
  const verdictOn = (path: string): string => {
    const { stdout, stderr } = Bun.spawnSync([python, "-c", program, path]);
    return stdout.toString().trim() + stderr.toString();
  };

  test.skipIf(lacks_python)("accepts it, and refuses it with a licence that does not exist", () => {
    expect(verdictOn(file)).toBe("None");
    const wrong = join(directory, "wrong.json");
    writeFileSync(wrong, readFileSync(file, "utf8").replace('"id": "MIT"', '"id": "MITT"'));
    expect(verdictOn(wrong)).not.toBe("None");
  });
});

describe("the licences of others", () => {
  let text: string;
  beforeAll(async () => {
    text = await thirdPartyLicenses();
  });

  test("has a part for each package in the executable, with the text of its licence", () => {
    const parts = text.split(`\n\n${"=".repeat(80)}\n\n`);
    for (const one of packages.filter(({ scope }) => scope === "required")) {
      const part = parts.find((text_of) => text_of.startsWith(`${idOf(one).replace(/@([^@]+)$/, " $1")} (`));
      expect([idOf(one), /copyright|licen[sc]e/i.test(part?.split("\n").slice(1).join("\n") ?? "")]).toEqual([
        idOf(one),
        true,
      ]);
    }
  });

  test("has what the runtime says of the libraries that it links", () => {
    for (const word of ["JavaScriptCore", "LGPL", "boringssl", "SQLite"]) expect(text).toContain(word);
    expect(text).not.toContain(root);
  });

  test.skipIf(lacks_release)(
    "is in every archive of the release, and the bill of materials beside them",
    async () => {
      const folder = await release();
      expect(existsSync(join(folder, "wharf.cdx.json"))).toBe(true);
      const archives = [...new Bun.Glob("wharf-*.tar.gz").scanSync(folder)];
      expect(archives.length).toBeGreaterThan(5);
      for (const archive of archives) {
        const name = archive.replace(".tar.gz", "");
        const { stdout } = Bun.spawnSync([
          "tar",
          "-xzOf",
          join(folder, archive),
          `${name}/THIRD_PARTY_LICENSES`,
        ]);
        expect([archive, stdout.toString() === text]).toEqual([archive, true]);
      }
    },
    release_timeout_ms,
  );
});
