/** `wharf admin remove-slot`: removes a slot of a locker. */

import { Command } from "commander";
import { orThrow } from "../../client/client.ts";
import { reasonedCommand } from "./admin_command.ts";

export const removeSlotCommand = reasonedCommand(
  () =>
    new Command("remove-slot")
      .description("remove a slot of a locker and erase its value")
      .argument("<name>", "the name whose locker it is")
      .argument("<slot>", "the name of the slot"),
  ["wharf admin remove-slot eve notes/plan --reason 'a home address' --data-dir ./wharf-data"],
  async ({ client, show }, { reason }, name, slot) => {
    const path = { name: name!, slot: slot! };
    const call = client.post("/api/admin/lockers/{name}/{slot}/remove", { path, body: { reason } });
    show(await orThrow(call), "The slot is removed.");
  },
);
