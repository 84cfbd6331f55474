/** The files of docs/recipes: docs/operating.md shows them as they are, and the programs that read them take them. */

import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { places } from "../../scripts/release/places.ts";
import { lacks } from "../support/programs.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";

const docs = join(import.meta.dir, "../../docs");
const recipe = (name: string) => readFileSync(join(docs, "recipes", name), "utf8");
/** Those for agents are in folders: test/cli/waking.test.ts, test/all/webhooks/relay.test.ts. */
const names = readdirSync(join(docs, "recipes")).filter((name) => !["waking", "webhooks"].includes(name));

test("are shown in docs/operating.md as they are", () => {
  const operating = readFileSync(join(docs, "operating.md"), "utf8");
  for (const name of names) {
    expect([name, operating.includes(`](recipes/${name})`)]).toEqual([name, true]);
  }
  for (const name of ["nginx.conf", "Caddyfile"]) {
    expect([name, operating.includes(`\n${recipe(name)}\`\`\`\n`)]).toEqual([name, true]);
  }
});

test.skipIf(lacks("the units of systemd", "systemd-analyze"))(
  "systemd knows every line of the units",
  async () => {
    const directory = newDirectory();
    for (const name of ["wharf.service", "wharf.socket"]) {
      await Bun.write(join(directory, name), recipe(name).replace("/usr/local/bin/wharf", process.execPath));
    }
    const verified = Bun.spawnSync([
      "systemd-analyze",
      "verify",
      ...["service", "socket"].map((kind) => join(directory, `wharf.${kind}`)),
    ]);
    expect([verified.stderr.toString(), verified.exitCode]).toEqual(["", 0]);

    // The exposure that systemd computes, in tenths; without any of the restrictions it is above 90.
    const unit = join(directory, "wharf.service");
    const exposure = Bun.spawnSync(["systemd-analyze", "security", "--offline=true", "--threshold=20", unit]);
    expect([exposure.stdout.toString().split("\n").at(-2), exposure.exitCode]).toEqual([
      expect.stringContaining("OK"),
      0,
    ]);
    removeDirectory(directory);
  },
);

test("the composition runs the image of this project with settings that exist", () => {
  const { services } = Bun.YAML.parse(recipe("compose.yaml")) as {
    services: { wharf: { image: string; environment: Record<string, string> } };
  };
  const { image, environment } = services.wharf;
  expect(image).toBe(`${places.image}:latest`);
  const main = join(import.meta.dir, "../../src/main.ts");
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, main, "config", "--json"], {
    env: { ...process.env, ...environment },
  });
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  const config = JSON.parse(stdout.toString()) as Record<string, { from: string }>;
  const names = Object.keys(environment).map((name) =>
    name.slice("WHARF_".length).toLowerCase().replaceAll("_", "-"),
  );
  const set = Object.entries(config).filter(([, { from }]) => from !== "default");
  expect(set.map(([name]) => name).sort()).toEqual(names.toSorted());
});
