/** Loaded before all tests (bunfig.toml): after the last one, ends the services that failing tests left behind. */

import { afterAll } from "bun:test";

/** Processes that tests have started. */
export const started: Bun.Subprocess[] = [];

afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
});
