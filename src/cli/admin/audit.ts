/** `wharf admin audit`: what admins did. */

import { Command } from "commander";
import type { AuditPage } from "../../admin/schema.ts";
import { withExamples } from "../help.ts";
import type { Terminal } from "../terminal.ts";
import { adminCommand } from "./admin_command.ts";

export const auditCommand = (terminal: Terminal): Command =>
  withExamples(
    adminCommand<{ limit: string; before?: string }>(
      new Command("audit")
        .description("list what admins did, the latest first")
        .option("--limit <count>", "how many lines at most", "100")
        .option("--before <seq>", "only lines before this one"),
      terminal,
      async ({ call, show }, { limit, before }) => {
        const query = new URLSearchParams({ limit, ...(before !== undefined && { before }) });
        const page = await call<AuditPage>("GET", `/api/admin/audit?${query}`);
        const lines = page.lines.map(
          ({ seq, at, actor, action, target, reason }) =>
            `${seq} ${at} ${actor} ${action} ${target}: ${reason}`,
        );
        show(page, page.next === null ? lines : [...lines, `More: wharf admin audit --before ${page.next}`]);
      },
    ),
    "wharf admin audit --data-dir ./wharf-data --json",
  );
