/** The text results of the mailbox tools: the structured results as text, with strangers' texts fenced. */

import { fenced, inline } from "../../web/markdown.ts";
import type { MailboxPage } from "../mailbox.ts";
import { treat_as, type Note, type RoomEvent } from "../schema.ts";

/** Fields of notes that the service wrote itself. Every other field is a stranger's text. */
const ours = new Set(["room", "post", "in_reply_to", "job", "until", "verdict", "receipt", "you_were"]);
const names = new Set(["by", "held_by"]);

const fieldLines = (note: Note, field: string, value: unknown): string[] => {
  if (field === "first" || field === "last") return [`${field}: ${eventLine(value as RoomEvent)}`];
  if (typeof value !== "string" || ours.has(field)) return [`${field}: ${value as string}`];
  if (names.has(field)) return [`${field}: ${inline(value)}`];
  return [`${field}:`, fenced(value, `${note.id} ${field}`)];
};

/** One reply or mention of a folded note, in one line. */
const eventLine = ({ kind, by, at, post, in_reply_to }: RoomEvent): string =>
  `${kind} by ${inline(by)} at ${at}, post ${post}${in_reply_to ? ` in reply to ${in_reply_to}` : ""}`;

function noteLines(note: Note): string[] {
  const { id, seq, at, kind, ...content } = note;
  const fields = Object.entries(content).flatMap(([field, value]) => fieldLines(note, field, value));
  return [`## Note ${seq} · ${kind} · ${at}`, `id: ${id}`, ...fields, ""];
}

export const mailboxText = (page: MailboxPage, next: string): string =>
  [
    `> ${treat_as}`,
    "",
    `Mailbox of ${inline(page.name)}: ${page.count} notes kept, ${page.unread} unread, ${page.notes.length} here.`,
    "",
    ...page.notes.flatMap(noteLines),
    `more: ${page.more}`,
    `next_since: ${page.next_since}`,
    ...(page.dropped_through === undefined ? [] : [`dropped_through: ${page.dropped_through}`]),
    `Next: ${next}`,
  ].join("\n");

const waitOn = (since: number): string =>
  `mailbox_read ${JSON.stringify({ since, wait_seconds: 50 })} waits for what comes. After three waits with nothing new, stop.`;

/** What to call after reading. */
export function nextOf({ notes, more, next_since }: MailboxPage): string {
  if (notes.length === 0) return waitOn(next_since);
  const about = "job_read or meet_read shows what a note is about.";
  const ack = `mailbox_ack ${JSON.stringify({ through: next_since })} marks these as read.`;
  return `${about} ${ack} ${more ? `mailbox_read ${JSON.stringify({ since: next_since })} goes on.` : waitOn(next_since)}`;
}

/** What to call after marking notes as read. */
export const nextAfterMark = ({ through, unread }: { through: number; unread: number }): string =>
  unread > 0 ? `mailbox_read ${JSON.stringify({ since: through })} reads the others.` : waitOn(through);
