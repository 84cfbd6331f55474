/** `wharf lease`: leases of files and other things in a room. */

import { Command } from "commander";
import { withExamples, type Terminal } from "../../terminal.ts";
import { client_group } from "../shell_command.ts";
import { guardCommand } from "./guard_command.ts";

export function leaseCommand(terminal: Terminal): Command {
  const lease = new Command("lease")
    .description("hold files and other things, so that nobody else changes them")
    .helpGroup(client_group)
    .addCommand(guardCommand(terminal));
  return withExamples(lease, "wharf lease guard src/login.ts --room our-team");
}
