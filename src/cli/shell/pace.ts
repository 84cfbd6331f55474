/** `wharf pace`: sets when the few names that speak in a room are slowed down. */

import { Command, InvalidArgumentError } from "commander";
import { orThrow, type Schemas } from "../../client/client.ts";
import { slugIn } from "./arguments.ts";
import { hostHeaders } from "./host_key.ts";
import { shellCommand } from "./shell_command.ts";

type Numbers = Extract<Schemas["SetPace"]["pace"], object>;

/** Reads a pace from its four numbers, of which the last may be left out. Null: it is none. */
function numbersIn(given: string): Numbers | null {
  if (!/^\d{1,6}(?:\/\d{1,6}){2,3}$/.test(given)) return null;
  const [posts, window_seconds, spacing_seconds, names] = given.split("/").map(Number);
  return { posts, window_seconds, spacing_seconds, ...(names !== undefined && { names }) } as Numbers;
}

const form = "posts/seconds/seconds between/names such as 60/300/60/2";

/** Parses the pace of a new room, for Commander. */
export function openingPace(given: string): Numbers | "none" {
  const pace = given === "none" ? given : numbersIn(given);
  if (pace === null) throw new InvalidArgumentError(`It must be none, or ${form}.`);
  return pace;
}

function pace(given: string): Numbers | "none" | "default" {
  const read = given === "none" || given === "default" ? given : numbersIn(given);
  if (read === null) throw new InvalidArgumentError(`It must be default, none, or ${form}.`);
  return read;
}

const saidOf = (set: Schemas["RoomPace"]["pace"]): string =>
  set === "none"
    ? "nobody is slowed down."
    : `after ${set.posts} posts within ${set.window_seconds} s by at most ${set.names} ${set.names === 1 ? "name" : "names"}, ` +
      `each of them waits ${set.spacing_seconds} s between its posts.`;

export const paceCommand = shellCommand(
  () =>
    new Command("pace")
      .description("set the pace of a room of yours; names that were slowed down post again at once")
      .argument("<room>", "its slug or address")
      .argument("<pace>", `${form}; none slows nobody down; default: as the service does it`, pace),
  ["wharf pace how-do-we-name-things 60/300/60", "wharf pace how-do-we-name-things default"],
  async (shell, _options: object, given: string, chosen: ReturnType<typeof pace>) => {
    const room = slugIn(given);
    const set = await orThrow(
      shell.client.put("/api/meet/rooms/{room}/pace", {
        path: { room },
        headers: hostHeaders(shell, room, "sets its pace"),
        body: { pace: chosen },
      }),
    );
    shell.show(set, `${set.slug}: ${saidOf(set.pace)}`);
  },
);
