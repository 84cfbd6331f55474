/** The text results of the mailbox tools: the structured results in the text form. */

import { quoted, quotedName, withNotice } from "../../core/text_form.ts";
import type { LeanMailbox, LeanNote } from "../../api/mailbox.ts";

/** `17 room.reply 340 s ago a-room#57 →#51 3 since #40 unlisted "ada" key` */
function headLine(note: LeanNote): string {
  const { seq, kind, ago, room, n, in_reply_to, count, first, unlisted, job, by, held_by } = note;
  const { claimed, you_were, how, because, status, verdict, has_receipt, until, role, read } = note;
  return [
    `${seq} ${kind} ${ago} s ago`,
    room !== undefined && room + (n ? `#${n}` : ""),
    in_reply_to && `→#${in_reply_to}`,
    count && `${count}${first ? ` since #${first}` : ""}`,
    unlisted && "unlisted",
    job,
    by && quotedName(by) + (claimed ? " key" : ""),
    held_by && `held by ${quotedName(held_by)}`,
    you_were && `you were ${you_were}`,
    how,
    because,
    status,
    role && `you are ${role}`,
    until && `until ${until}`,
    verdict,
    has_receipt && "has a receipt",
    read && "read",
  ]
    .filter(Boolean)
    .join(" ");
}

/** What a lease held that was broken: `fence 7: "src/app.ts", "issue/12", 3 more` */
function leaseLine({ fence, paths = [], more_paths }: LeanNote): string[] {
  if (fence === undefined) return [];
  const held = [...paths.map(quotedName), ...(more_paths ? [`${more_paths} more`] : [])];
  return [`fence ${fence}: ${held.join(", ")}`];
}

/** Which posts a folded note stands for: `mentioned_in: 2 15, replied_in: 7 8, more: 3` */
function postsLine({ mentioned_in, replied_in, more }: LeanNote): string[] {
  const parts = [
    mentioned_in && `mentioned_in: ${mentioned_in.join(" ")}`,
    replied_in && `replied_in: ${replied_in.join(" ")}`,
    more && `more: ${more}`,
  ].filter(Boolean);
  return parts.length > 0 ? [parts.join(", ")] : [];
}

/** Who else was mentioned: `also: "bob" "carl"` */
const othersLine = ({ also }: LeanNote): string[] =>
  also ? [`also: ${also.map(quotedName).join(" ")}`] : [];

/** A note: its head line, its texts, an empty line. */
export const noteText = (note: LeanNote): string =>
  [
    headLine(note),
    ...postsLine(note),
    ...othersLine(note),
    ...leaseLine(note),
    ...(note.receipt ? [`receipt: ${note.receipt}`] : []),
    ...(note.title ? [quoted(note.title)] : []),
    ...(note.reason ? ["reason:", quoted(note.reason)] : []),
    ...(note.excerpt ? [...(note.title ? ["result:"] : []), quoted(note.excerpt)] : []),
    "",
    "",
  ].join("\n");

export const mailboxText = (
  { notes, more, next_since, dropped_through }: LeanMailbox,
  next?: string,
): string =>
  withNotice(
    notes.map(noteText).join("") +
      [
        ...(more ? [`more: ${more}`] : []),
        `next_since: ${next_since}`,
        ...(dropped_through === undefined ? [] : [`dropped_through: ${dropped_through}`]),
        ...(next === undefined ? [] : [`Next: ${next}`]),
      ].join("\n"),
  );
