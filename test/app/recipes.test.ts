/** The files of docs/recipes: docs/operating.md shows them as they are, and the programs that read them take them. */

import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lacks } from "../support/programs.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";

const docs = join(import.meta.dir, "../../docs");
const recipe = (name: string) => readFileSync(join(docs, "recipes", name), "utf8");
const names = readdirSync(join(docs, "recipes"));

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
    removeDirectory(directory);
  },
);

test("the composition runs the service and its health check with options that exist", () => {
  const { services } = Bun.YAML.parse(recipe("compose.yaml")) as {
    services: { wharf: { command: string[]; healthcheck: { test: string[] } } };
  };
  const { command, healthcheck } = services.wharf;
  const main = join(import.meta.dir, "../../src/main.ts");
  const run = (words: string[]) => Bun.spawnSync([process.execPath, main, ...words]);
  // The settings of serve, read and printed instead.
  const config = run(["config", "--json", ...command.slice(2)]);
  expect([command[1], config.exitCode, config.stderr.toString()]).toEqual(["serve", 0, ""]);
  expect(healthcheck.test.slice(0, 3)).toEqual(["CMD", "wharf", "healthcheck"]);
  expect(run([...healthcheck.test.slice(2, 3), "--help"]).stdout.toString()).toContain(healthcheck.test[3]!);
});
