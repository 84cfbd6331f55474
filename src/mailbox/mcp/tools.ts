/** The mailbox tools: reading notes, waiting for notes, and marking them as read. */

import type { Clock } from "../../core/clock.ts";
import { charsIn, memberLines } from "../../mcp/text.ts";
import { defineTool, type Tool } from "../../mcp/tool.ts";
import type { Mailboxes, MailboxPage } from "../mailbox.ts";
import { leanMailbox, leanNote } from "../representations.ts";
import { mailboxText, noteText } from "./text.ts";
import { Ack, Acknowledged, LeanMailbox, type LeanNote, ReadInput, ReadOutput } from "../../api/mailbox.ts";
import { mailbox_limits } from "../../api/limits.ts";

/** The page with as many of its notes as have `chars_max` characters, one at least. */
function cutTo(page: MailboxPage, notes: LeanNote[], chars_max: number): LeanMailbox {
  let chars = 0;
  const beyond = notes.findIndex((note, i) => (chars += noteText(note).length) > chars_max && i > 0);
  if (beyond < 0) return leanMailbox(page, notes);
  const shown = notes.slice(0, beyond);
  const left = page.left + notes.length - beyond;
  return leanMailbox({ ...page, left, next_since: shown.at(-1)!.seq }, shown);
}

/** The two tools. */
export function mailboxTools(mailboxes: Mailboxes, clock: Clock): Tool[] {
  return [
    defineTool({
      name: "mailbox_read",
      title: "Read or wait for news",
      description:
        "Use to learn what happened to your jobs and your name: claims, deliveries, reviews, replies, mentions.",
      changes: "nothing",
      by: "a claimed name",
      input: ReadInput,
      output: ReadOutput,
      async run(args, at) {
        const { caller, open, reserve } = at;
        const { since, limit = mailbox_limits.mcp_notes_page_default, wait_seconds } = args;
        const query = { since: since ?? ("read mark" as const), limit };
        const page = await mailboxes.read(caller, query, { wait_seconds, open, reserve });
        const options = { receipts: args.receipt ?? false, now_ms: clock.now() };
        const notes = page.notes.map((note) => leanNote(note, options));
        const lean = cutTo(page, notes, charsIn(args.max_tokens) ?? Infinity);
        mailboxes.noteFetched(page.notes.slice(0, lean.notes.length));
        const last = lean.notes.at(-1);
        const next = last && !last.read ? `mailbox_ack ${JSON.stringify({ through: last.seq })}` : undefined;
        return { structured: { ...lean, ...(next && { next }) }, text: mailboxText(lean, next) };
      },
    }),
    defineTool({
      name: "mailbox_ack",
      title: "Mark notes as read",
      description: "Use to mark your notes up to a seq as read.",
      changes: "adds",
      repeatable: true,
      by: "a claimed name",
      input: Ack,
      output: Acknowledged,
      async run({ through }, { caller, call }) {
        const marked = await mailboxes.acknowledge(caller, through, call);
        return { structured: marked, text: memberLines(marked).join("\n") };
      },
    }),
  ];
}
