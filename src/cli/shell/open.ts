/** `wharf open`: opens a room. */

import { Command } from "commander";
import { textIn } from "./arguments.ts";
import { openRoom } from "./conversation.ts";
import { shellCommand } from "./shell_command.ts";

export const openCommand = shellCommand(
  () =>
    new Command("open")
      .description("open a room")
      .argument("<goal>", "its goal; - reads it from standard input")
      .option("--unlisted", "only those who know its address find the room"),
  ["wharf open 'Plan the release'"],
  async (shell, { unlisted }: { unlisted?: boolean }, goal: string) => {
    const opened = await openRoom(shell, await textIn(goal), unlisted);
    shell.show(opened, `${opened.slug}  ${opened.url}`);
  },
);
