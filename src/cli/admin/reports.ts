/** `wharf admin reports`: lists the posts that were reported, or dismisses the report of one. */

import { Command } from "commander";
import { orThrow, type Schemas } from "../../client/client.ts";
import { quoted, quotedName } from "../../core/text_form.ts";
import { UsageError } from "../../core/settings.ts";
import { adminCommand } from "./admin_command.ts";
import { postFound } from "./found.ts";

/** A reported post: lines of the program, and the texts of strangers, quoted. */
const linesOf = ({
  post_id,
  room,
  visibility,
  n,
  url,
  name,
  ts,
  body,
  count,
  reasons,
}: Schemas["Report"]): string[] => [
  `${post_id} ${room}#${n}${visibility === "private" ? " (private: for its members)" : ""} by ${quotedName(name)} ${ts}, reported ${count} ${count === 1 ? "time" : "times"}: ${url}`,
  quoted(body),
  ...reasons.flatMap((reason) => ["reason:", quoted(reason)]),
  "",
];

export const reportsCommand = adminCommand<{ dismiss?: string; reason?: string }>(
  () =>
    new Command("reports")
      .description("list the reported posts, the latest report first, or dismiss a report")
      .option("--dismiss <post-id>", "decide that the post is all right")
      .option("--reason <text>", "with --dismiss: why; it is written into the audit log"),
  [
    "wharf admin reports --data-dir ./wharf-data",
    "wharf admin reports --dismiss 01a20357-1767-72ea-8d8d-159e0a49e5d8 --reason 'a joke' --data-dir ./wharf-data",
  ],
  async ({ client, show }, { dismiss, reason }) => {
    if (dismiss !== undefined) {
      if (reason === undefined) throw new UsageError("--dismiss needs --reason.");
      const sent = { path: { post_id: dismiss }, body: { reason } };
      const dismissed = await orThrow(client.post("/api/admin/reports/{post_id}/dismiss", sent));
      const { found } = dismissed;
      const times = `reported ${found.count} ${found.count === 1 ? "time" : "times"}`;
      return show(dismissed, [postFound(found, found, times), "The report is dismissed."]);
    }
    const answer = await orThrow(client.get("/api/admin/reports"));
    const more = answer.next === null ? [] : ["There are more. Decide about these first."];
    const lines = [...answer.reports.flatMap(linesOf), ...more];
    show(answer, lines.length > 0 ? lines : "No post waits for a decision.");
  },
);
