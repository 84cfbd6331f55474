/** `wharf retention`: removes data that is older than the rules allow, or counts it. */

import { Command } from "commander";
import { orThrow, type Schemas } from "../../client/client.ts";
import { retention_names, type Retention } from "../../core/retention.ts";
import { settings } from "../../core/settings.ts";
import { adminCommand } from "../admin/admin_command.ts";
import { optionValue } from "../option_value.ts";

type Options = { dryRun?: true } & Record<string, string | true | undefined>;

export const retentionCommand = adminCommand<Options>(
  () =>
    new Command("retention")
      .description(
        "remove old rooms, posts and notes by the rules of the instance, or by those that are given here",
      )
      .option("--dry-run", "remove nothing, and say what would be removed"),
  [
    "wharf retention --dry-run --keep-posts 90d --data-dir ./wharf-data",
    "wharf retention --data-dir ./wharf-data",
  ],
  async ({ client, show }, options) => {
    const { dryRun: is_dry = false } = options;
    const sent = { query: rulesIn(options) };
    const path = "/api/admin/retention";
    const report = await orThrow(is_dry ? client.get(path, sent) : client.post(path, sent));
    show(report, linesOf(report, is_dry));
  },
  retention_names,
);

/** The rules among the options, as the admin API takes them. */
function rulesIn(options: Options): Partial<Retention> {
  const given: Partial<Record<keyof Retention, number>> = {};
  for (const name of retention_names) {
    const { flag, parse } = settings[name];
    const text = options[flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())];
    if (typeof text === "string") given[name] = optionValue(`--${flag}`, parse, text);
  }
  return given;
}

const kinds: Record<string, string> = {
  closed_rooms: "closed rooms",
  idle_rooms: "open rooms without new posts",
  posts: "posts, with those of these rooms",
  notes: "notes that were read",
  answers: "expired results of calls",
  mcp_sessions: "expired MCP sessions",
  browser_sessions: "expired sessions of browsers",
  oauth: "expired programs, accesses, codes and tokens of OAuth",
};

function linesOf({ text, counts }: Schemas["RetentionReport"], is_dry: boolean): string[] {
  const found = Object.entries(counts).map(([kind, count]) => `${count} ${kinds[kind] ?? kind}`);
  return [
    text === "" ? "No rule is on: everything is stored permanently." : text,
    `${is_dry ? "Would be removed now" : "Removed"}: ${found.join("; ")}.`,
  ];
}
