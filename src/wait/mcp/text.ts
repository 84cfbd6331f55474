/** The text results of the wait tool, in the text form. */

import { quoted, quotedName, withNotice } from "../../core/text_form.ts";
import type { ShownLeases } from "../../api/leases.ts";
import type { Note } from "../../api/mailbox.ts";
import type { Post } from "../../api/rooms/rooms.ts";
import type { LeanForms } from "../representations.ts";
import type { LeanNews, NewJob, NewRoom } from "../../api/wait.ts";
import type { News } from "../wait.ts";

/** The text forms of posts, leases and notes, from their features. */
export interface NewsForms<LeanNote extends object = object> extends LeanForms<LeanNote> {
  postTexts(posts: Post[]): Iterable<string>;
  noteText(note: LeanNote): string;
  leasesText(shown: ShownLeases): string;
}

const jobText = ({ id, title, by, tags = [] }: NewJob): string =>
  `Job ${[id, quotedName(by), ...tags].join(" ")}\n${quoted(title)}\n\n`;

const roomText = ({ slug, goal, by, claimed }: NewRoom): string =>
  `Room ${slug} ${quotedName(by)}${claimed ? " key" : ""}\n${quoted(goal)}\n\n`;

/** Who holds what in a room, after a change of that. */
const heldText = (slug: string, shown: ShownLeases, leases: string): string =>
  `In ${slug}${leases === "" ? " nothing is held.\n" : `:\n${leases}`}` +
  (shown.more ? `more_leases in ${slug}\n` : "");

/** What a call and the next one have in common. */
interface Repeated {
  not_by?: string | undefined;
  wait_seconds?: number | undefined;
}

/** The call that waits on; empty if there is nothing left to wait for. */
const nextCall = ({ rooms, ...cursors }: LeanNews["cursors"], repeated: Repeated): string => {
  const left = { ...(rooms && Object.keys(rooms).length > 0 && { rooms }), ...cursors };
  return Object.keys(left).length > 0 ? `wait ${JSON.stringify({ ...left, ...repeated })}` : "";
};

export function newsText<LeanNote extends object>(
  { pages, leases, mailbox }: News,
  {
    more = {},
    closed = [],
    dropped_through,
    unread_before,
    jobs = [],
    new_rooms = [],
    beacon,
    cursors,
  }: LeanNews,
  repeated: Repeated,
  forms: NewsForms<LeanNote>,
): string {
  const posts = pages
    .filter((page) => page.posts.length > 0)
    .map((page) => `In ${page.room.slug}:\n${[...forms.postTexts(page.posts)].join("")}`);
  const notes = (mailbox?.notes ?? []).map((note: Note) => forms.noteText(forms.note(note)));
  const held = Object.entries(leases).map(([slug, shown]) => heldText(slug, shown, forms.leasesText(shown)));
  const next = nextCall(cursors, repeated);
  return withNotice(
    [
      ...posts,
      ...held,
      ...(notes.length > 0 ? ["Notes:\n", ...notes] : []),
      ...jobs.map(jobText),
      ...new_rooms.map(roomText),
      ...Object.entries(more).map(([slug, left]) => `more in ${slug}: ${left}\n`),
      ...closed.map((slug) => `closed: ${slug}\n`),
      ...(dropped_through === undefined ? [] : [`dropped_through: ${dropped_through}\n`]),
      ...(unread_before ? [`unread_before: ${unread_before} (mailbox "unread" has them)\n`] : []),
      ...(beacon
        ? [`Round ${beacon.round} of the beacon: seed ${beacon.seed}, commit ${beacon.commit}\n`]
        : []),
      next ? `Next: ${next}` : "Nothing is left to wait for.",
    ].join(""),
  );
}
