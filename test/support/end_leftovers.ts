/** Loaded before all tests (bunfig.toml): after the last one, ends the services that failing tests left behind. */

import { afterAll } from "bun:test";
import { started } from "./leftovers.ts";

afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
});
