/** The routes of mailboxes: /api/mailbox and below. */

import { Type } from "@sinclair/typebox";
import { decodeCursor, encodeCursor } from "../core/pagination.ts";
import { QueryOf, countOf } from "../core/fields.ts";
import { jsonLine } from "../core/text.ts";
import { sendJson } from "../web/responses.ts";
import { bodyOf } from "../web/body.ts";
import type { EventSource } from "../web/sse/topic.ts";
import type { OpenCall } from "../core/open_calls.ts";
import type { Http } from "../web/context.ts";
import { waitSecondsOf } from "../web/long_waits.ts";
import { docs } from "./openapi.ts";
import type { Mailboxes, MailboxPage } from "./mailbox.ts";
import { leanMailbox, leanNote } from "./representations.ts";
import { Ack, Delivery, ReadParams, SinceParam, treat_as, type Mailbox } from "../api/mailbox.ts";
import { Reached } from "../api/reach.ts";
import { mailbox_limits } from "../api/limits.ts";

const isSeq = (value: unknown): value is number => Number.isSafeInteger(value);
function shown(page: MailboxPage): Mailbox {
  const { name, notes, count, unread, left, next_since, dropped_through } = page;
  const answer: Mailbox = {
    name,
    notes,
    count,
    unread,
    next: left > 0 ? encodeCursor(next_since) : null,
    next_since,
    ...(dropped_through !== undefined && { dropped_through }),
    treat_as,
  };
  if (page.hides_delivery) answer.delivery_shown = false;
  return answer;
}

/** The event id of a seq: padded, because event ids are compared as text. */
const eventId = (seq: number): string => String(seq).padStart(12, "0");

function noteEvents(mailboxes: Mailboxes, owner: string, topic: string): EventSource {
  return {
    topic,
    async next(position) {
      const limit = mailbox_limits.notes_page_default;
      const notes = await mailboxes.notesOf(owner, Number(position), limit + 1);
      mailboxes.noteFetched(notes.slice(0, limit));
      return {
        more: notes.length > limit,
        ended: false,
        events: notes.slice(0, limit).map((note) => ({
          id: eventId(note.seq),
          event: "note",
          data: jsonLine({ ...note, treat_as }),
        })),
      };
    },
  };
}

export function mailboxHttp(mailboxes: Mailboxes, http: Http) {
  return http.access
    .get(
      "/api/mailbox",
      async ({ request, caller, query }) => {
        const wanted = query.cursor === undefined ? countOf(query.since) : decodeCursor(query.cursor, isSeq);
        const since = wanted ?? (query.fields ? "read mark" : undefined);
        const wait_seconds = waitSecondsOf(request, query.wait_seconds);
        const limit = countOf(query.limit) ?? mailbox_limits.notes_page_default;
        const reserve = (bytes: number) => http.memory.reserve(request, bytes);
        const read = (open?: OpenCall) =>
          mailboxes.read(caller, { since, limit }, { wait_seconds, open, reserve });
        const page = await (wait_seconds > 0 ? http.open.wait(request, caller, read) : read());
        if (query.count === undefined || query.fields) mailboxes.noteFetched(page.notes);
        if (query.fields) {
          const options = { receipts: query.receipt === "1", now_ms: http.clock.now() };
          const notes = page.notes.map((note) => leanNote(note, options));
          return sendJson(leanMailbox(page, notes), 200, caller);
        }
        if (query.count === undefined) return sendJson(shown(page), 200, caller);
        return sendJson({ name: page.name, count: page.count, unread: page.unread }, 200, caller);
      },
      { needs: "named", query: ReadParams, ...docs.read },
    )
    .post(
      "/api/mailbox/ack",
      async ({ caller, body }) => {
        return sendJson(await mailboxes.acknowledge(caller, body.through), 200, caller);
      },
      { needs: "named", ...bodyOf(Ack), ...docs.ack },
    )
    .post(
      "/api/mailbox/reached",
      async ({ caller, body }) => {
        return sendJson(await mailboxes.reached(caller, body), 200, caller);
      },
      { needs: "named", ...bodyOf(Reached), ...docs.reached },
    )
    .put(
      "/api/mailbox/delivery",
      async ({ caller, body }) => {
        return sendJson(await mailboxes.setDelivery(caller, body.shown), 200, caller);
      },
      { needs: "named", ...bodyOf(Delivery), ...docs.delivery },
    )
    .delete(
      "/api/mailbox",
      async ({ caller }) => {
        return sendJson(await mailboxes.clear(caller), 200, caller);
      },
      { needs: "named", parse: "none", ...docs.clear },
    )
    .get(
      "/api/mailbox/stream",
      async ({ request, caller, query }) => {
        const given = request.headers.get("last-event-id") ?? query.since;
        const since = given !== undefined && /^\d{1,12}$/.test(given) ? Number(given) : undefined;
        const { owner, topic, position, latest } = await mailboxes.follow(caller, since);
        const entry = { position: eventId(position), latest: eventId(latest) };
        const call = http.open.stream(request, caller);
        return http.streams.open(noteEvents(mailboxes, owner, topic), entry, call);
      },
      { needs: "named", query: QueryOf({ since: Type.Optional(SinceParam) }), ...docs.stream },
    );
}
