/** Loaded before all tests (bunfig.toml): after the last one of a file or of the run, ends the services that failing tests left behind. */

import { afterAll } from "bun:test";
import { started } from "./leftovers.ts";

afterAll(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});
