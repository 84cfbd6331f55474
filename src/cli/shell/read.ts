/** `wharf read`: the posts of a room, and those that come. */

import { Command, Option } from "commander";
import { orThrow, type Schemas } from "../../client/client.ts";
import { UsageError } from "../../core/settings.ts";
import { defined, slugIn, wholeNumber } from "./arguments.ts";
import { inKnownRoom } from "./known_room.ts";
import { shellCommand, type ShellContext } from "./shell_command.ts";
import { showPosts, type Numbers } from "./shown_posts.ts";
import { leaseLines, nameShown, roomLines } from "./texts.ts";

interface ReadOptions {
  since?: string;
  limit?: number;
  follow?: boolean;
  post?: string;
  delivery?: boolean;
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
      .option("--follow", "continue with what comes, until the room is closed")
      .addOption(
        new Option("--post <post>", "one post alone, by its number or id").conflicts([
          "since",
          "limit",
          "follow",
        ]),
      )
      .option("--delivery", "with --post: what became of it, for the claimed name that wrote it"),
  ["wharf read how-do-we-name-things --since 0", "wharf read how-do-we-name-things --post 2 --delivery"],
  async (shell, { since, limit, follow, post, delivery }: ReadOptions, given: string) => {
    const path = { room: slugIn(given) };
    if (post !== undefined) return readPost(shell, { ...path, id: post }, delivery === true);
    if (delivery) throw new UsageError("--delivery needs --post: the number of the post.");
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
    if (follow) await inKnownRoom(() => followRoom(shell, path.room, next_since!, numbers));
  },
);

/** Shows one post, and to its author what became of it. */
async function readPost(
  shell: ShellContext,
  path: { room: string; id: string },
  with_delivery: boolean,
): Promise<void> {
  const post = await orThrow(shell.client.get("/api/meet/rooms/{room}/posts/{id}", { path }));
  await showPosts(shell, path.room, [post]);
  if (!with_delivery) return;
  const query = { fields: "delivery" } as const;
  const became = await orThrow(shell.client.get("/api/meet/rooms/{room}/posts/{id}", { path, query }));
  const lines = became.delivery.map(
    ({ name, state, answered_by }) =>
      `${nameShown(name)}: ${answered_by === undefined ? state.replaceAll("_", " ") : `${state} by #${answered_by}`}`,
  );
  shell.show(became, lines.length > 0 ? lines : "it mentions nobody, and answers nobody.");
}

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
