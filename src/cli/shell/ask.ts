/** `wharf ask`: opens a room with a question, and waits for an answer. */

import { Command } from "commander";
import { UsageError } from "../../core/settings.ts";
import { codePoints, cutAtWord } from "../../core/text.ts";
import { textIn, wholeNumber } from "./arguments.ts";
import { openRoom, say, showAnswer } from "./conversation.ts";
import { shellCommand } from "./shell_command.ts";
import { wait_option, type Wait } from "./waiting.ts";
import { room_limits } from "../../api/limits.ts";

export const askCommand = shellCommand(
  () =>
    new Command("ask")
      .description("open a room with a question")
      .argument("<question>", "the question; - reads it from standard input")
      .option("--unlisted", "only those who know its address find the room")
      .option(...wait_option, wholeNumber),
  ["wharf ask 'How do we name things?'", "wharf ask 'Who can review this?' --wait 2"],
  async (shell, { unlisted, wait }: { unlisted?: boolean; wait?: Wait }, given: string) => {
    const question = await textIn(given);
    const chars = codePoints(question);
    // The room would stay open without it.
    if (chars > room_limits.post_body_chars_max)
      throw new UsageError(
        `the question is ${chars} characters long; at most ${room_limits.post_body_chars_max} fit.`,
      );
    const visibility = unlisted ? "unlisted" : "public";
    const { slug, url } = await openRoom(shell, cutAtWord(question, room_limits.goal_chars_max), visibility);
    const post = await say(shell, slug, { body: question }).catch((error: unknown) => {
      shell.note(`${slug} is open, without the question: \`wharf say ${slug}\` asks it.`);
      throw error;
    });
    shell.show({ room: slug, url, n: post.n }, `${slug}  ${url}`);
    if (wait !== undefined) await showAnswer(shell, slug, post, wait);
  },
);
