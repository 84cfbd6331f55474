/** `wharf admin`: runs and moderates an instance. A group of commands is a file here, and a line below. */

import { Command } from "commander";
import { withExamples, type Terminal } from "../terminal.ts";
import { auditCommand } from "./audit.ts";
import { clientsCommand } from "./clients.ts";
import {
  breakLeaseCommand,
  postCommands,
  removeSlotCommand,
  roomCommands,
  withdrawJobCommand,
} from "./contributions.ts";
import { inviteCommands } from "./invites.ts";
import { nameCommands } from "./names.ts";
import { reportsCommand } from "./reports.ts";
import { tokenCommands } from "./tokens.ts";

const commands = [
  ...postCommands,
  ...roomCommands,
  ...nameCommands,
  breakLeaseCommand,
  removeSlotCommand,
  withdrawJobCommand,
  reportsCommand,
  ...tokenCommands,
  ...inviteCommands,
  clientsCommand,
  auditCommand,
];

export function adminCommands(terminal: Terminal): Command {
  const admin = new Command("admin").description("run and moderate an instance, running or stopped");
  for (const create of commands) admin.addCommand(create(terminal));
  return withExamples(admin, "wharf admin audit --data-dir ./wharf-data");
}
