/** The writer's thread: the second entry of the program, started by serve.ts. */

import { acts, chores } from "./commands.ts";
import { systemClock } from "../core/clock.ts";
import { beyondBudget } from "./command_runner.ts";
import { serveWrites } from "../storage/sqlite/worker_loop.ts";

serveWrites(
  globalThis as unknown as Parameters<typeof serveWrites>[0],
  acts,
  chores,
  systemClock,
  beyondBudget,
);
