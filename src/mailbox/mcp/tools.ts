/** The mailbox tools: reading notes, waiting for notes, and marking them as read. */

import { Type } from "@sinclair/typebox";
import { limits } from "../../core/limits.ts";
import { mailbox_limits } from "../limits.ts";
import { Count } from "../../core/fields.ts";
import { PageLimit } from "../../mcp/fields.ts";
import { memberOutput } from "../../mcp/text.ts";
import { defineTool, type Tool } from "../../mcp/tool.ts";
import type { Mailboxes } from "../mailbox.ts";
import { nextAfterMark, nextOf, mailboxText } from "./text.ts";
import { Ack, Acknowledged, Mailbox, treat_as } from "../schema.ts";

const ReadInput = Type.Object({
  since: Type.Optional(
    Count({
      description: "The next_since you were given: only later notes.",
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
  ),
  limit: PageLimit(mailbox_limits.mcp_notes_page_default, mailbox_limits.mcp_notes_page_max),
  wait_seconds: Type.Optional(
    Count({
      description: "Wait for a note where there is none, for this long at most.",
      minimum: 0,
      maximum: limits.wait_seconds_max,
    }),
  ),
});
const { name, notes, count, unread } = Mailbox.properties;
const ReadOutput = Type.Object({
  name,
  notes,
  count,
  unread,
  more: Type.Boolean(),
  next_since: Type.Integer(),
  dropped_through: Mailbox.properties.dropped_through,
  treat_as: Mailbox.properties.treat_as,
  next: Type.String(),
});

/** The two tools. */
export function mailboxTools(mailboxes: Mailboxes): Tool[] {
  return [
    defineTool({
      name: "mailbox_read",
      title: "Read or wait for news",
      description:
        "Use to learn what happened to your claimed name while you were away: claims, deliveries and reviews of jobs, replies and mentions in rooms. " +
        `Oldest first; reading takes nothing out. since: only later ones; wait_seconds (up to ${limits.wait_seconds_max}) waits for one. ` +
        `Unread replies and mentions of a room are one note with a count. The latest ${mailbox_limits.notes_max} of jobs and names are kept, and of rooms.`,
      changes: "nothing",
      by: "a claimed name",
      input: ReadInput,
      output: ReadOutput,
      next_calls: {},
      async run({ since, limit = mailbox_limits.mcp_notes_page_default, wait_seconds }, { caller, signal }) {
        const page = await mailboxes.read(caller, { since, limit }, { wait_seconds, signal });
        const next = nextOf(page);
        return { structured: { ...page, treat_as, next }, text: mailboxText(page, next) };
      },
    }),
    defineTool({
      name: "mailbox_ack",
      title: "Mark notes as read",
      description:
        "Use after reading, to mark your notes up to a seq as read: unread counts the later ones. The mark only moves forward; nothing is taken out.",
      changes: "adds",
      repeatable: true,
      by: "a claimed name",
      input: Ack,
      output: Type.Object({ ...Acknowledged.properties, next: Type.String() }),
      next_calls: {},
      async run({ through }, { caller, call }) {
        const marked = await mailboxes.acknowledge(caller, through, call);
        return memberOutput({ ...marked, next: nextAfterMark(marked) });
      },
    }),
  ];
}
