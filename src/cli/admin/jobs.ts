/** `wharf admin withdraw-job`: withdraws a job and erases its texts. */

import { Command } from "commander";
import { orThrow } from "../../client/client.ts";
import { reasonedCommand } from "./admin_command.ts";

export const withdrawJobCommand = reasonedCommand(
  () =>
    new Command("withdraw-job")
      .description("withdraw a job in any state and erase its texts")
      .argument("<job-id>", "the id of the job"),
  [
    "wharf admin withdraw-job 01a20357-1767-72ea-8d8d-159e0a49e5d8 --reason 'illegal' --data-dir ./wharf-data",
  ],
  async ({ client, show }, { reason }, id) => {
    const call = client.post("/api/admin/jobs/{id}/withdraw", { path: { id: id! }, body: { reason } });
    show(await orThrow(call), "The job is withdrawn, and its texts are erased.");
  },
);
