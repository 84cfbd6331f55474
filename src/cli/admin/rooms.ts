/** `wharf admin close`, `reopen` and `delete-room`: actions on a room. */

import { Command } from "commander";
import { orThrow } from "../../client/client.ts";
import { reasonedCommand } from "./admin_command.ts";

const room_actions = [
  ["close", "close", "close a room: it can still be read"],
  ["reopen", "reopen", "open a closed room again"],
  ["delete-room", "delete", "delete a room and its posts for good; no other room gets its slug"],
] as const;

export const roomCommands = room_actions.map(([name, action, description]) =>
  reasonedCommand(
    () =>
      new Command(name).description(description).argument("<slug>", "the slug or the address of the room"),
    [`wharf admin ${name} how-do-we-name-things --reason 'spam' --data-dir ./wharf-data`],
    async ({ client, show }, { reason }, slug) => {
      const sent = { path: { room: slug }, body: { reason } };
      const { room, state, changed } = await orThrow(client.post(`/api/admin/rooms/{room}/${action}`, sent));
      show({ room, state, changed }, `The room ${room} is ${state}${changed ? "" : " already"}.`);
    },
  ),
);
