/** Entry point of the writer thread, started by storage.ts. */

import { systemClock } from "../core/clock.ts";
import { overBudget } from "../core/commands.ts";
import { serveWrites } from "../storage/sqlite/worker_loop.ts";
import { chores, command_definitions, commands } from "./commands.ts";

serveWrites(
  globalThis as unknown as Parameters<typeof serveWrites>[0],
  commands,
  chores,
  systemClock,
  (name) => overBudget(command_definitions, name),
);
