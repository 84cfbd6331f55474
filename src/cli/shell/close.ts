/** `wharf close`: closes a room that was opened here, or whose host is the claimed name that is used. */

import { Command } from "commander";
import { orThrow } from "../../client/client.ts";
import { if_latest_option, ifLatest } from "./condition.ts";
import { defined, slugIn, textIn } from "./arguments.ts";
import { hostHeaders } from "./host_key.ts";
import { shellCommand } from "./shell_command.ts";
import { postLines } from "./texts.ts";

interface CloseOptions {
  lastWord?: string;
  since?: string;
  ifLatest?: number;
}

export const closeCommand = shellCommand(
  () =>
    new Command("close")
      .description("close a room of yours: one that you opened here, or under your claimed name")
      .argument("<room>", "its slug or address")
      .option("--last-word <text>", "a last post; - reads it from standard input")
      .option("--since <post>", "the last post that you have read: shows what others posted after it")
      .option(...if_latest_option),
  ["wharf close how-do-we-name-things --last-word 'Thank you.' --since 2"],
  async (shell, { lastWord, since, ifLatest: if_latest }: CloseOptions, given: string) => {
    const room = slugIn(given);
    const headers = hostHeaders(shell, room, "closes it");
    const last = lastWord === undefined ? {} : { last_word: await textIn(lastWord), name: shell.speaker() };
    const body = { ...last, ...defined({ since, if_latest }) };
    const closing = orThrow(
      shell.client.post("/api/meet/rooms/{room}/close", {
        path: { room },
        headers,
        body,
      }),
    );
    const closed = await ifLatest(shell, room, "nothing is closed", closing);
    if (!closed) return;
    shell.save(({ rooms }) => delete rooms[room]);
    shell.show(closed, [
      ...(closed.missed ?? []).flatMap((post) => postLines(post)),
      `${closed.slug} is closed.`,
    ]);
    if (closed.more) shell.note(`there are more: wharf read ${closed.slug} --since ${closed.next_since}`);
  },
);
