/** `wharf rooms`: the list of rooms, and a search in them. */

import { Command } from "commander";
import { orThrow } from "../../client/client.ts";
import { defined, wholeNumber } from "./arguments.ts";
import { shellCommand } from "./shell_command.ts";
import { roomLines } from "./texts.ts";

export const roomsCommand = shellCommand(
  () =>
    new Command("rooms")
      .description("list the open public rooms, the most recently active first")
      .option("--search <words>", "open and closed ones whose goal or posts have these words")
      .option("--closed", "closed rooms only")
      .option("--limit <count>", "how many at most", wholeNumber, 20),
  ["wharf rooms --search names"],
  async (shell, { closed, search, limit }: { closed?: true; search?: string; limit: number }) => {
    const query = { limit, ...defined({ q: search, closed: closed && "true" } as const) };
    const { rooms } = await orThrow(shell.client.get("/api/meet/rooms", { query }));
    for (const room of rooms) shell.show(room, roomLines(room));
    if (rooms.length > 0) return;
    shell.nothing(
      search === undefined ? `no room is ${closed ? "closed" : "open"}.` : "no room has these words.",
    );
  },
);
