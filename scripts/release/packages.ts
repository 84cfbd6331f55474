/** The packages of the product: those that `bun install --production` installs, and which of them are in the executable. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entries } from "./binaries.ts";
import { root } from "./facts.ts";

export interface Package {
  name: string;
  version: string;
  /** Its folder in `node_modules`, as `cliui/node_modules/string-width`. */
  folder: string;
  /** The expression of SPDX in its package.json. */
  license: string;
  /** The SHA-512 of the file in the registry, in hex. */
  sha512: string;
  /** Whether code of it is in the executable. The others are types and tools that packages name as dependencies. */
  is_bundled: boolean;
  /** The folders of the packages that it depends on. */
  depends_on: string[];
}

interface Meta {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}
/** An entry of bun.lock, by its path as `cliui/string-width`: name@version, registry, what it needs, and the hash of its file. */
type Locked = [string, string, Meta, string];
interface Lock {
  workspaces: { "": { dependencies: Record<string, string> } };
  packages: Record<string, Locked>;
}

/** Returns the packages, sorted by name and version. They must be installed. */
export async function productPackages(): Promise<Package[]> {
  const lock = Bun.JSONC.parse(readFileSync(join(root, "bun.lock"), "utf8")) as Lock;
  const found = new Map<string, string[]>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    const [, , meta] = lock.packages[path]!;
    const named = { ...meta.dependencies, ...meta.optionalDependencies, ...meta.peerDependencies };
    const paths = Object.keys(named)
      // What is not in the lock file is optional.
      .map((name) => pathOf(name, path, lock))
      .filter((one) => one !== null);
    found.set(path, [...new Set(paths)].sort());
    paths.forEach(visit);
  };
  for (const name of Object.keys(lock.workspaces[""].dependencies)) visit(pathOf(name, "", lock)!);
  const bundled = await bundledFolders();
  return [...found]
    .map(([path, depends_on]) => packageAt(path, depends_on.map(folderOf), bundled, lock))
    .toSorted((a, b) => Bun.semver.order(a.version, b.version))
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function packageAt(path: string, depends_on: string[], bundled: Set<string>, lock: Lock): Package {
  const [id, , , integrity] = lock.packages[path]!;
  const [, name = "", version = ""] = /^(.+)@([^@]+)$/.exec(id) ?? [];
  const folder = folderOf(path);
  const manifest = JSON.parse(readFileSync(join(root, "node_modules", folder, "package.json"), "utf8")) as {
    version: string;
    license?: string;
  };
  if (manifest.version !== version)
    throw new Error(`${folder} is not installed as bun.lock has it: bun install`);
  if (typeof manifest.license !== "string") throw new Error(`${folder} names no licence.`);
  const sha512 = Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex");
  return {
    name,
    version,
    folder,
    license: manifest.license,
    sha512,
    is_bundled: bundled.has(folder),
    depends_on,
  };
}

const names = /@[^/]+\/[^/]+|[^/]+/g;
const folderOf = (path: string): string => path.match(names)!.join("/node_modules/");

/** The entry of the package that `name` means for the package at `from`: the nearest one above it. Null if there is none. */
function pathOf(name: string, from: string, lock: Lock): string | null {
  const above = from.match(names) ?? [];
  for (let count = above.length; count >= 0; count--) {
    const path = [...above.slice(0, count), name].join("/");
    if (lock.packages[path]) return path;
  }
  return null;
}

/** The folders of the packages whose files are in the executable. */
async function bundledFolders(): Promise<Set<string>> {
  const directory = mkdtempSync(join(tmpdir(), "wharf-bundle-"));
  try {
    const metafile = join(directory, "metafile.json");
    const args = [
      "build",
      "--target=bun",
      `--metafile=${metafile}`,
      "--outdir",
      join(directory, "out"),
      ...entries,
    ];
    const child = Bun.spawn([process.execPath, ...args], { cwd: root, stdout: "ignore", stderr: "pipe" });
    const [errors, status] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    if (status !== 0) throw new Error(`The bundle cannot be made:\n${errors}`);
    const { inputs } = (await Bun.file(metafile).json()) as { inputs: Record<string, unknown> };
    const folders = Object.keys(inputs).map(
      (path) => /^node_modules\/((?:.+\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1],
    );
    return new Set(folders.filter((folder) => folder !== undefined));
  } finally {
    rmSync(directory, { recursive: true });
  }
}
