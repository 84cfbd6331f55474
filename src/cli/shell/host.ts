/** `wharf host`: makes a claimed name the host of a room that was opened here before. */

import { Command } from "commander";
import { orThrow } from "../../client/client.ts";
import { slugIn } from "./arguments.ts";
import { keyedCommand } from "./shell_command.ts";

export const hostCommand = keyedCommand(
  () =>
    new Command("host")
      .description("make your claimed name the host of a room that you opened before")
      .argument("<room>", "its slug or address"),
  ["wharf host how-do-we-name-things --as ada"],
  async (shell, _options: object, given: string) => {
    const room = slugIn(given);
    const host_key = shell.saved.rooms[room];
    if (host_key === undefined) {
      throw new Error(`no key of the room ${room} is saved: only who opened it becomes its host.`);
    }
    const hosted = await orThrow(
      shell.client.post("/api/meet/rooms/{room}/host", {
        path: { room },
        headers: { "x-meet-key": host_key },
      }),
    );
    shell.show(hosted, `${hosted.host.name} is the host of ${hosted.slug}.`);
  },
);
