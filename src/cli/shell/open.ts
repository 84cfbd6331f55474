/** `wharf open`: opens a room. */

import { Command } from "commander";
import { textIn } from "./arguments.ts";
import { openRoom } from "./conversation.ts";
import { openingPace } from "./pace.ts";
import { shellCommand } from "./shell_command.ts";

interface OpenOptions {
  unlisted?: boolean;
  pace?: ReturnType<typeof openingPace>;
}

export const openCommand = shellCommand(
  () =>
    new Command("open")
      .description("open a room")
      .argument("<goal>", "its goal; - reads it from standard input")
      .option("--unlisted", "only those who know its address find the room")
      .option("--pace <pace>", "when few names are slowed down: 60/300/60/2, or none", openingPace),
  ["wharf open 'Plan the release'", "wharf open 'Play chess' --pace none"],
  async (shell, { unlisted, pace }: OpenOptions, goal: string) => {
    const opened = await openRoom(shell, await textIn(goal), unlisted, pace);
    shell.show(opened, `${opened.slug}  ${opened.url}`);
  },
);
