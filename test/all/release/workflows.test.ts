/** The workflows of GitHub: actionlint reads them, and the step that publishes to npm runs with a registry that is a file. */

import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tarGz } from "../../../scripts/release/archives.ts";
import { root } from "../../../scripts/release/facts.ts";
import { lacks } from "../../support/programs.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";
import { workflow } from "../../support/workflows.ts";

test.skipIf(lacks("the style of the workflows", "go", "shellcheck"))(
  "actionlint finds no fault",
  () => {
    const linter = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.7";
    const { exitCode, stdout, stderr } = Bun.spawnSync(["go", "run", linter], { cwd: root });
    expect([stdout.toString(), exitCode]).toEqual(["", 0]);
    if (exitCode !== 0) throw new Error(stderr.toString());
  },
  300_000,
);

test.skipIf(lacks("publishing to npm", "bash", "jq", "tar"))(
  "packages with programs are published before those that need them, and none twice",
  async () => {
    const directory = newDirectory();
    for (const folder of ["npm", "bin"]) mkdirSync(join(directory, folder));
    const packages = [
      { name: "@a/client" },
      { name: "@a/wharf" },
      { name: "@a/wharf-linux-x64", os: ["linux"] },
    ];
    for (const manifest of packages) {
      const data = Buffer.from(JSON.stringify({ ...manifest, version: "1.2.3" }));
      const file = `${manifest.name.slice(1).replace("/", "-")}-1.2.3.tgz`;
      await tarGz([{ name: "package/package.json", mode: 0o644, data }], join(directory, "npm", file), 1);
    }
    const registry = join(directory, "registry");
    writeFileSync(registry, "@a/client@1.2.3\n");
    // `npm view NAME version` fails if the registry lacks it; `npm publish FILE --tag TAG` adds it.
    writeFileSync(
      join(directory, "bin/npm"),
      `#!/bin/bash
if [ "$1" = view ]; then grep -qxF "$2" ${registry}; else echo "$@" >>${registry}; fi\n`,
    );
    chmodSync(join(directory, "bin/npm"), 0o755);
    const { run } = workflow("release.yml").jobs.npm!.steps!.find(({ name }) => name?.startsWith("Publish"))!;
    const { exitCode, stdout } = Bun.spawnSync(
      ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", run!],
      {
        cwd: directory,
        env: { PATH: `${join(directory, "bin")}:${process.env.PATH}`, NPM_TAG: "latest" },
      },
    );
    expect([exitCode, stdout.toString()]).toEqual([0, "@a/client@1.2.3 is published already\n"]);
    const options = "--access public --provenance --tag latest";
    expect(readFileSync(registry, "utf8").trim().split("\n")).toEqual([
      "@a/client@1.2.3",
      `publish ./npm/a-wharf-linux-x64-1.2.3.tgz ${options}`,
      `publish ./npm/a-wharf-1.2.3.tgz ${options}`,
    ]);
    removeDirectory(directory);
  },
);
