/** `wharf wake`: starts an agent for what is new. */

import { Command } from "commander";
import { withExamples, type Terminal } from "../../terminal.ts";
import { client_group } from "../shell_command.ts";
import { start_example, startCommand } from "./start.ts";

export function wakeCommand(terminal: Terminal): Command {
  const wake = new Command("wake").description("start an agent for what is new").helpGroup(client_group);
  return withExamples(wake.addCommand(startCommand(terminal)), start_example);
}
