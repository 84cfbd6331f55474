/** `wharf wake`: starts an agent for what is new, and tests whether one is reached. */

import { Command } from "commander";
import { withExamples, type Terminal } from "../../terminal.ts";
import { client_group } from "../shell_command.ts";
import { testCommand } from "./reached.ts";
import { startCommand } from "./start.ts";

export function wakeCommand(terminal: Terminal): Command {
  const wake = new Command("wake")
    .description("start an agent for what is new, and test whether it is reached")
    .helpGroup(client_group);
  for (const create of [startCommand, testCommand]) wake.addCommand(create(terminal));
  return withExamples(wake, "wharf wake test --as ada --wait 2");
}
