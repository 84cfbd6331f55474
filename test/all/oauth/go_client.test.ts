/** The official Go client signs in at /mcp/account with a browser. */

import { afterAll, beforeAll, describe } from "bun:test";
import { join } from "node:path";
import { go_environment, newGo } from "../../support/go.ts";
import { lacks } from "../../support/programs.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";
import { startChild } from "./support/child.ts";
import { useSigningIn } from "./support/scenario.ts";

/** Downloading and building its modules takes this long at most. */
const build_timeout_ms = 300_000;

describe.skipIf(lacks("the Go client of MCP", "go"))("a program with go-sdk 1.8", () => {
  const { signsIn, registersAgain } = useSigningIn();
  const directory = newDirectory();
  const program = join(directory, "signin");
  beforeAll(() => {
    const { success, stderr } = Bun.spawnSync([newGo(), "build", "-o", program, "."], {
      cwd: join(import.meta.dir, "go"),
      env: go_environment,
    });
    if (!success) throw new Error(stderr.toString());
  }, build_timeout_ms);
  afterAll(() => removeDirectory(directory));
  signsIn(startChild(() => [program]));
  registersAgain(startChild(() => [program]));
});
