/** `wharf pace`: sets when the few names that speak in a room are slowed down. */

import { Command, InvalidArgumentError } from "commander";
import { orThrow, type Schemas } from "../../client/client.ts";
import { paceIn, pace_form } from "../../core/pace_setting.ts";
import { slugIn } from "./arguments.ts";
import { hostHeaders } from "./host_key.ts";
import { shellCommand } from "./shell_command.ts";

/** Reads a pace, or one of these words, for Commander. */
const paceOr =
  <Word extends string>(...words: Word[]) =>
  (given: string): NonNullable<ReturnType<typeof paceIn>> | Word => {
    const read = words.find((word) => word === given) ?? paceIn(given);
    if (read === null) throw new InvalidArgumentError(`It must be ${words.join(", ")}, or ${pace_form}.`);
    return read;
  };

/** The pace of a new room. */
export const openingPace = paceOr("none");
const pace = paceOr("default", "none");

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
      .argument("<pace>", `${pace_form}; none slows nobody down; default: as the service does it`, pace),
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
