/** The writer's thread: the second entry of the program, started by serve.ts. */

import { acts, chores } from "./acts.ts";
import { systemClock } from "./clock.ts";
import { beyondBudget } from "./commands.ts";
import { serveWrites } from "./storage/sqlite/thread.ts";

serveWrites(
  globalThis as unknown as Parameters<typeof serveWrites>[0],
  acts,
  chores,
  systemClock,
  beyondBudget,
);
