/** Where the commands of the client keep what they know between two runs. */

import { homedir } from "node:os";
import { join } from "node:path";
import type { Terminal } from "../terminal.ts";

/** The folder of the command line's state (XDG Base Directory Specification). */
export const stateFolder = ({ environment: { XDG_STATE_HOME } }: Pick<Terminal, "environment">): string =>
  join(XDG_STATE_HOME || join(homedir(), ".local", "state"), "wharf");
