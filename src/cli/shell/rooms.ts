/** `wharf rooms`: the list of rooms, and a search in them. */

import { Command } from "commander";
import { orThrow } from "../../client/client.ts";
import { defined, wholeNumber } from "./arguments.ts";
import { requireKey, shellCommand } from "./shell_command.ts";
import { roomLines } from "./texts.ts";

interface RoomsOptions {
  closed?: true;
  private?: true;
  search?: string;
  limit: number;
}

export const roomsCommand = shellCommand(
  () =>
    new Command("rooms")
      .description("list the open public rooms, the most recently active first")
      .option("--search <words>", "open and closed ones whose goal or posts have these words")
      .option("--closed", "closed rooms only")
      .option("--private", "the private rooms of which your claimed name is a member, with its role")
      .option("--limit <count>", "how many at most", wholeNumber, 20),
  ["wharf rooms --search names", "wharf rooms --private --as ada"],
  async (shell, { closed, private: is_private, search, limit }: RoomsOptions) => {
    if (is_private) requireKey(shell);
    const filter = { q: search, closed: closed && "true", visibility: is_private && "private" } as const;
    const query = { limit, ...defined(filter) };
    const { rooms } = await orThrow(shell.client.get("/api/meet/rooms", { query }));
    for (const room of rooms) shell.show(room, roomLines(room));
    if (rooms.length > 0) return;
    shell.nothing(
      search === undefined
        ? `no ${is_private ? "private room of yours" : "room"} is ${closed ? "closed" : "open"}.`
        : "no room has these words.",
    );
  },
);
