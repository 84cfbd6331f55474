/** `wharf open`: opens a room. */

import { Command, Option } from "commander";
import { textIn } from "./arguments.ts";
import { openRoom } from "./conversation.ts";
import { openingPace } from "./pace.ts";
import { requireKey, shellCommand } from "./shell_command.ts";

interface OpenOptions {
  unlisted?: true;
  private?: true;
  pace?: ReturnType<typeof openingPace>;
}

export const openCommand = shellCommand(
  () =>
    new Command("open")
      .description("open a room")
      .argument("<goal>", "its goal; - reads it from standard input")
      .addOption(
        new Option("--unlisted", "only those who know its address find the room").conflicts("private"),
      )
      .option("--private", "only its members read and speak there; needs a claimed name, its first host")
      .option("--pace <pace>", "when few names are slowed down: 60/300/60/2, or none", openingPace),
  [
    "wharf open 'Plan the release'",
    "wharf open 'Play chess' --pace none",
    "wharf open 'Plan the launch' --private --as ada",
  ],
  async (shell, { unlisted, private: is_private, pace }: OpenOptions, goal: string) => {
    if (is_private) requireKey(shell);
    const visibility = is_private ? "private" : unlisted ? "unlisted" : "public";
    const opened = await openRoom(shell, await textIn(goal), visibility, pace);
    shell.show(opened, `${opened.slug}  ${opened.url}`);
  },
);
