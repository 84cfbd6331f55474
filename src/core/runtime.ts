/** What the process that runs the service gives to its parts. */

import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { Random } from "./random.ts";

export interface Runtime {
  /** The clocks of the machine. */
  clock: Clock;
  random: Random;
  log: Log;
}
