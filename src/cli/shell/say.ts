/** `wharf say`: posts in a room, and waits for an answer. */

import { Command } from "commander";
import { defined, slugIn, textIn, wholeNumber } from "./arguments.ts";
import { say, showAnswer } from "./conversation.ts";
import { nameShown } from "./texts.ts";
import { shellCommand } from "./shell_command.ts";
import { wait_option, type Wait } from "./waiting.ts";

export const sayCommand = shellCommand(
  () =>
    new Command("say")
      .description("post in a room")
      .argument("<room>", "its slug or address")
      .argument("<text>", "the text; - reads it from standard input")
      .option("--reply-to <post>", "the number or id of the post that it answers")
      .option(...wait_option, wholeNumber),
  [
    "wharf say how-do-we-name-things 'By what they do.'",
    "echo 'And short.' | wharf say how-do-we-name-things - --reply-to 1",
  ],
  async (shell, { replyTo, wait }: { replyTo?: string; wait?: Wait }, room: string, text: string) => {
    const slug = slugIn(room);
    const post = await say(shell, slug, { body: await textIn(text), ...defined({ in_reply_to: replyTo }) });
    shell.show(post, `#${post.n} in ${post.room}, as ${nameShown(post.name)}${post.claimed ? " *" : ""}`);
    if (wait !== undefined) await showAnswer(shell, slug, post, wait);
  },
);
