/**
 * The packages of npm: the launcher, which has the command `wharf`; one package with the program for each platform; the client; and
 * the module for test suites.
 */

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { description } from "../../package.json" with { type: "json" };
import { tarGz } from "./archives.ts";
import type { ReleaseFacts } from "./facts.ts";
import { compile } from "./npm/javascript.ts";
import { license, programOf, readmeOf, thirdPartyLicensesIn } from "./package_contents.ts";
import { mcp_name, npm_program as launcher, places } from "./places.ts";
import { targets, type Target } from "./targets.ts";

const client = `${places.npm_scope}/client`;

interface Package {
  name: string;
  /** Members of its package.json, beside those that all have. */
  manifest: object;
  /** Files by their path in it. */
  files: Record<string, string | Uint8Array>;
  /** The path of the file that can be run. */
  executable?: string;
}

/** Writes the packages into `folder`/npm, with the programs in `folder`/bin. */
export async function packNpm(folder: string, { version, commit_time_seconds }: ReleaseFacts): Promise<void> {
  async function pack({ name, manifest, files, executable }: Package): Promise<void> {
    const all: Package["files"] = {
      "package.json": `${JSON.stringify({ name, version, ...manifest, ...common }, null, 2)}\n`,
      LICENSE: license,
      ...files,
    };
    const entries = Object.entries(all).map(([path, data]) => ({
      name: `package/${path}`,
      mode: path === executable ? 0o755 : 0o644,
      data: Buffer.from(data as Uint8Array),
    }));
    const file = `${name.slice(1).replace("/", "-")}-${version}.tgz`;
    await tarGz(entries, join(folder, "npm", file), commit_time_seconds);
  }

  mkdirSync(join(folder, "npm"));
  // One after the other: a program has more than 100 MB.
  for (const target of targets) await pack(programPackage(target, folder));
  await pack(launcherPackage(version));
  await pack(clientPackage(version));
  await pack(testingPackage(version));
}

const common = {
  license: "MIT",
  homepage: places.repository,
  repository: { type: "git", url: `git+${places.repository}.git` },
};

/** The name of the package for a platform. The launcher makes it of `process.platform`, `process.arch` and the C library. */
const programName = ({ os, cpu, libc }: Target): string =>
  [launcher, os, cpu, ...(libc === "musl" ? [libc] : [])].join("-");

function programPackage(target: Target, folder: string): Package {
  const { os, cpu, libc, exe } = target;
  const name = programName(target);
  const about = `The program of ${launcher} for ${[os, cpu, ...(libc ? [libc] : [])].join(" ")}.`;
  const executable = `bin/wharf${exe}`;
  const platform = { os: [os], cpu: [cpu], ...(libc && { libc: [libc] }) };
  return {
    name,
    // Yarn cannot run a program inside an archive.
    manifest: { description: about, ...platform, preferUnplugged: true },
    files: {
      [executable]: programOf(folder, target),
      THIRD_PARTY_LICENSES: thirdPartyLicensesIn(folder),
      "README.md": `# ${name}\n\n${about} Install ${launcher}: it chooses the package of your platform.\n`,
    },
    executable,
  };
}

/** What others may import from a package: its module `name`. */
const exportsOf = (name: string) => ({
  exports: { ".": { types: `./${name}.d.ts`, default: `./${name}.js` }, "./package.json": "./package.json" },
});

/** The package with the command. */
export function launcherPackage(version: string): Package {
  const command = "bin/wharf.js";
  const files = [command, "program.js", "program.d.ts"];
  return {
    name: launcher,
    manifest: {
      description,
      // The registry of MCP servers looks for its name here.
      mcpName: mcp_name,
      type: "commonjs",
      bin: { wharf: command },
      ...exportsOf("program"),
      engines: { node: ">=18" },
      optionalDependencies: Object.fromEntries(targets.map((target) => [programName(target), version])),
    },
    files: {
      ...Object.fromEntries(
        files.map((file) => [file, readFileSync(join(import.meta.dir, "npm/launcher", file))]),
      ),
      "README.md": readmeOf("README.md", version),
    },
    executable: command,
  };
}

const es_module = { type: "module", sideEffects: false, engines: { node: ">=20" } };

const clientPackage = (version: string): Package => ({
  name: client,
  manifest: { description: "The typed client of Wharf's HTTP API.", ...es_module, ...exportsOf("client") },
  files: { ...compile("src/client/client.ts"), "README.md": readmeOf("docs/client.md", version) },
});

const testingPackage = (version: string): Package => ({
  name: `${places.npm_scope}/testing`,
  manifest: {
    description: "Starts and controls Wharf in test suites.",
    ...es_module,
    ...exportsOf("wharf"),
    dependencies: { [client]: version, [launcher]: version },
  },
  files: {
    ...compile("testing/wharf.ts", { "../src/client/client.ts": client }),
    "README.md": readmeOf("testing/README.md", version),
  },
});
