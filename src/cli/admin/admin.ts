/** `wharf admin`: runs and moderates an instance. A group of commands is a file here, and a line below. */

import { Command } from "commander";
import { withExamples } from "../help.ts";
import type { Terminal } from "../terminal.ts";
import { auditCommand } from "./audit.ts";
import { inviteCommands } from "./invites.ts";
import { tokenCommands } from "./tokens.ts";

export function adminCommands(terminal: Terminal): Command {
  const admin = new Command("admin").description("run and moderate an instance, running or stopped");
  for (const command of [...tokenCommands(terminal), ...inviteCommands(terminal), auditCommand(terminal)])
    admin.addCommand(command);
  return withExamples(admin, "wharf admin audit --data-dir ./wharf-data");
}
