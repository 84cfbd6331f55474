/** The example of docs/client.md: it compiles with the types of a browser alone, and runs. */

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { places } from "../../scripts/release/places.ts";
import { blocksOf } from "../support/examples.ts";
import { newDirectory, removeDirectory, startSource } from "../support/service.ts";

const root = join(import.meta.dir, "../..");

test("the example of docs/client.md compiles with the client alone, and prints what it says", async () => {
  const service = await startSource();
  const directory = newDirectory();
  const document = await Bun.file(join(root, "docs/client.md")).text();
  const [example, ...more] = blocksOf(document);
  expect([example?.language, more.length]).toEqual(["ts", 0]);
  const program = join(directory, "example.ts");
  const text = example!.text
    .replace(`"${places.npm_scope}/client"`, JSON.stringify(join(root, "src/client/client.ts")))
    .replace("http://127.0.0.1:4273", service.url);
  writeFileSync(program, text);

  const settings =
    "--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --erasableSyntaxOnly --verbatimModuleSyntax " +
    "--allowImportingTsExtensions --module preserve --target es2022 --lib es2023,dom,dom.iterable";
  const compiled = Bun.spawnSync([join(root, "node_modules/.bin/tsc"), ...settings.split(" "), program], {
    // Not here: the compiler would find the types of Bun.
    cwd: directory,
  });
  expect(compiled.stdout.toString()).toBe("");

  const ran = Bun.spawn([process.execPath, program], { stdout: "pipe", stderr: "inherit" });
  expect(await new Response(ran.stdout).text()).toBe(
    "The job is open.\nThere are 0 rooms.\nada says: Hello.\n",
  );
  removeDirectory(directory);
  await service.stop();
});
