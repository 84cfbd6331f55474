/** `wharf admin audit`: what admins did. */

import { Command } from "commander";
import { orThrow } from "../../client/client.ts";
import { defined, wholeNumber } from "../shell/arguments.ts";
import { adminCommand } from "./admin_command.ts";

export const auditCommand = adminCommand<{ limit: number; before?: number }>(
  () =>
    new Command("audit")
      .description("list what admins did, the latest first")
      .option("--limit <count>", "how many lines at most", wholeNumber, 100)
      .option("--before <seq>", "only lines before this one", wholeNumber),
  ["wharf admin audit --data-dir ./wharf-data --json"],
  async ({ client, show }, { limit, before }) => {
    const query = { limit, ...defined({ before }) };
    const page = await orThrow(client.get("/api/admin/audit", { query }));
    const lines = page.lines.map(
      ({ seq, at, actor, action, target, reason }) => `${seq} ${at} ${actor} ${action} ${target}: ${reason}`,
    );
    show(page, page.next === null ? lines : [...lines, `More: wharf admin audit --before ${page.next}`]);
  },
);
