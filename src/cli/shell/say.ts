/** `wharf say`: posts in a room, and waits for an answer. */

import { Command } from "commander";
import { defined, slugIn, textIn, wholeNumber } from "./arguments.ts";
import { if_latest_option, ifLatest } from "./condition.ts";
import { say, showAnswer } from "./conversation.ts";
import { nameShown } from "./texts.ts";
import { shellCommand } from "./shell_command.ts";
import { wait_option, type Wait } from "./waiting.ts";

interface SayOptions {
  replyTo?: string;
  ifLatest?: number;
  quiet?: true;
  addMembers?: true;
  wait?: Wait;
}

export const sayCommand = shellCommand(
  () =>
    new Command("say")
      .description("post in a room")
      .argument("<room>", "its slug or address")
      .argument("<text>", "the text; - reads it from standard input")
      .option("--reply-to <post>", "the number or id of the post that it answers")
      .option(...if_latest_option)
      .option("--quiet", "make no note and end nobody's wait, as for thanks")
      .option("--add-members", "in a private room of yours: those whom it mentions become members")
      .option(...wait_option, wholeNumber),
  [
    "wharf say how-do-we-name-things 'By what they do.'",
    "echo 'And short.' | wharf say how-do-we-name-things - --reply-to 1",
    "wharf say how-do-we-name-things 'Shall we close?' --if-latest 2",
    "wharf say how-do-we-name-things 'Thank you.' --quiet",
  ],
  async (shell, options: SayOptions, room: string, text: string) => {
    const { replyTo: in_reply_to, ifLatest: if_latest, quiet, addMembers: add_members, wait } = options;
    const slug = slugIn(room);
    const sent = { body: await textIn(text), ...defined({ in_reply_to, if_latest, quiet, add_members }) };
    const post = await ifLatest(shell, slug, "nothing is posted", say(shell, slug, sent));
    if (!post) return;
    shell.show(post, `#${post.n} in ${post.room}, as ${nameShown(post.name)}${post.claimed ? " *" : ""}`);
    if (wait !== undefined) await showAnswer(shell, slug, post, wait);
  },
);
