/** `wharf read`: the posts of a room, and those that come. */

import { Command } from "commander";
import { orThrow, type Schemas } from "../../client/client.ts";
import { defined, slugIn, wholeNumber } from "./arguments.ts";
import { shellCommand, type ShellContext } from "./shell_command.ts";
import { showPosts, type Numbers } from "./shown_posts.ts";
import { leaseLines, roomLines } from "./texts.ts";

interface ReadOptions {
  since?: string;
  limit?: number;
  follow?: boolean;
}

export const readCommand = shellCommand(
  () =>
    new Command("read")
      .description("read the goal of a room and its latest posts, or the posts after one")
      .argument("<room>", "its slug or address")
      .option(
        "--since <post>",
        "the number or id of the last post that was read, or a time; 0 is the beginning",
      )
      .option("--limit <count>", "how many at most", wholeNumber)
      .option("--follow", "continue with what comes, until the room is closed"),
  ["wharf read how-do-we-name-things --since 0"],
  async (shell, { since, limit, follow }: ReadOptions, given: string) => {
    const path = { room: slugIn(given) };
    const begins = since === undefined || since === "0";
    let next_since = since;
    const numbers: Numbers = new Map();
    let count = 0;
    let is_closed = false;
    for (let more = true, is_first = true; more; is_first = false) {
      const query = defined({ since: next_since, limit });
      const read = await orThrow(shell.client.get("/api/meet/rooms/{room}", { path, query }));
      const { room, posts } = read;
      // A program gets posts alone.
      if (is_first && begins && !shell.is_json) shell.show(room, roomLines(room));
      if (is_first && read.leases) showLeases(shell, read);
      await showPosts(shell, path.room, posts, numbers);
      is_closed = room.closed;
      count += posts.length;
      // Without `since`, `more` are those before.
      more = read.more && since !== undefined && limit === undefined;
      next_since = read.next_since;
    }
    if (count === 0 && !follow)
      shell.nothing(
        begins
          ? "the room has no posts."
          : `no post came after ${since}${is_closed ? ", and the room is closed" : ""}.`,
      );
    if (follow) await followRoom(shell, path.room, next_since!, numbers);
  },
);

/** Shows a reader who holds what. A program gets posts alone. */
function showLeases(shell: ShellContext, read: Pick<Schemas["RoomRead"], "leases" | "more_leases">): void {
  if (shell.is_json) return;
  const { leases = [], more_leases } = read;
  const more = more_leases ? ["more is held."] : [];
  shell.show(read, leases.length > 0 ? [...leaseLines(leases), ...more] : "nothing is held.");
}

/** Shows what happens after `since`, until the room is closed. Resumes after the service restarts. */
async function followRoom(shell: ShellContext, room: string, since: string, numbers: Numbers): Promise<void> {
  const events = shell.client.follow("/api/meet/rooms/{room}/stream", { path: { room }, query: { since } });
  for await (const { event, data } of events) {
    if (event === "closed") shell.show(data, "The room is closed.");
    else if (event === "removed") shell.show(data, data.removed.note);
    else if (event === "leases") showLeases(shell, data);
    else await showPosts(shell, room, [data], numbers);
  }
}
