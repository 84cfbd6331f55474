/** The page of a mailbox, for the name that is signed in. */

import { mailboxPage, type ShownNote } from "../../views/mailbox.tsx";
import { caller_errors } from "../core/caller_errors.ts";
import { readForm } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { pageDoc, undocumented } from "../web/openapi/describe.ts";
import { sendPage } from "../web/page_headers.ts";
import { checkBy } from "../web/problems.ts";
import type { Mailboxes } from "./mailbox.ts";
import { leanNote } from "./representations.ts";
import { seeOther } from "../web/responses.ts";
import { Ack, Delivery, treat_as, type Note } from "../api/mailbox.ts";
import { mailbox_limits } from "../api/limits.ts";

const checkAck = checkBy(Ack, "body");
const checkDelivery = checkBy(Delivery, "body");

/**
 * The goals of these rooms, by their slugs, for the name `reader` in its canonical form. Those of deleted rooms and of rooms that it may not
 * read are missing.
 */
export type GoalsFor = (reader: string, slugs: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** These notes of `owner`, which are oldest first, with the latest first. */
export async function shownNotes(
  owner: string,
  notes: readonly Note[],
  goalsFor: GoalsFor,
  now_ms: number,
): Promise<ShownNote[]> {
  const goals = await goalsFor(
    owner,
    notes.flatMap(({ room }) => (room === undefined ? [] : (room as string))),
  );
  return notes.toReversed().map((note) => ({
    ...leanNote(note, { receipts: false, now_ms }),
    at: note.at,
    goal: goals.get(note.room as string),
  }));
}

export function mailboxPages(
  mailboxes: Mailboxes,
  goalsFor: GoalsFor,
  { access, origins, siteOf, clock }: Http,
) {
  return access
    .get(
      "/me/mailbox",
      async ({ caller, base }) => {
        // All of them: those about rooms and the others are limited separately.
        const limit = 2 * mailbox_limits.notes_max;
        const page = await mailboxes.read(caller, { since: undefined, limit });
        const { notes, unread, next_since: latest, hides_delivery } = page;
        mailboxes.noteFetched(notes);
        const shown = await shownNotes(caller.identity!.canonical, notes, goalsFor, clock.now());
        const site = await siteOf({ caller, base });
        const mailbox = { notes: shown, unread, latest, hides_delivery, treat_as };
        return sendPage(await mailboxPage(site, mailbox));
      },
      {
        needs: "named",
        ...pageDoc({
          summary: "The mailbox of the name that is signed in",
          operation_id: "readMailboxPage",
          media: ["text/html"],
          failures: [caller_errors.credential_required],
        }),
      },
    )
    .post(
      "/me/mailbox",
      async ({ request, caller, base }) => {
        const { through } = await readForm(request, origins);
        await mailboxes.acknowledge(caller, checkAck({ through: Number(through) }).through);
        return seeOther(`${base}/me/mailbox`);
      },
      { needs: "named", parse: "none", ...undocumented },
    )
    .post(
      "/me/mailbox/delivery",
      async ({ request, caller, base }) => {
        const { shown } = await readForm(request, origins);
        await mailboxes.setDelivery(caller, checkDelivery({ shown }).shown);
        return seeOther(`${base}/me/mailbox`);
      },
      { needs: "named", parse: "none", ...undocumented },
    );
}
