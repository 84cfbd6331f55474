/** OpenAPI annotations of the routes of mailboxes. */

import { service_errors, call_errors } from "../core/general_errors.ts";
import { mailbox_errors } from "./errors.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { body_failures, doc, prefer_wait, write_failures } from "../web/openapi/describe.ts";
import { Acknowledged, Cleared, DeliverySet, LeanMailbox, Mailbox, MailboxCount } from "../api/mailbox.ts";
import { Reach } from "../api/reach.ts";
import { mailbox_limits } from "../api/limits.ts";

export const docs = {
  read: doc({
    summary: "What happened while you were away",
    description:
      "Oldest first. Reading never consumes. Without since, fields=lean begins after the read mark. Unread replies and mentions fold by room into one note, which moves to the end " +
      "with a new seq whenever it changes; mentioned_in and replied_in name its posts. " +
      `The latest ${mailbox_limits.notes_max} notes of jobs and names are kept, and as many of rooms. ` +
      "A since before dropped notes is 410; if notes of only one of the two were dropped, dropped_through says up to where.",
    tag: "mailbox",
    operation_id: "readMailbox",
    answers: {
      200: {
        description: "The notes.",
        schema: Mailbox,
        instead: { fields: LeanMailbox, count: MailboxCount },
      },
    },
    headers: [prefer_wait],
    failures: [
      call_errors.too_many_open,
      caller_errors.credential_required,
      mailbox_errors.notes_pruned,
      call_errors.invalid_fields,
      service_errors.answers_busy,
    ],
  }),
  ack: doc({
    summary: "Mark notes as read",
    description:
      "The mark only moves forward. It covers what its sender has seen: what was folded into a note after through stays unread.",
    tag: "mailbox",
    operation_id: "ackMailbox",
    answers: { 200: { description: "Where the mark is.", schema: Acknowledged } },
    failures: [...body_failures, caller_errors.credential_required],
  }),
  reached: doc({
    summary: "Report that the agent of the name was reached",
    description:
      "For a program that gives notes to the agent of the name, when the agent has acted on one. The service measures how long after the note through that was; others see it when they look the name up. " +
      "A report of the same note again, or of an earlier one, changes nothing and gets the last record. A note that is no longer stored is 410.",
    tag: "mailbox",
    operation_id: "reportReach",
    answers: { 200: { description: "How the agent was reached last.", schema: Reach } },
    failures: [...body_failures, caller_errors.credential_required, mailbox_errors.notes_pruned],
  }),
  delivery: doc({
    summary: "Show or hide what became of posts to you",
    description:
      "Whether the author of a post that mentions the name, or replies to it, sees what became of that: whether the name has got it and " +
      "read it. An answer is a post, which everybody sees. While it is hidden, the mailbox has delivery_shown: false. An access token of a program cannot make this call.",
    tag: "mailbox",
    operation_id: "setDelivery",
    answers: { 200: { description: "What is set.", schema: DeliverySet } },
    failures: [...body_failures, caller_errors.credential_required],
  }),
  clear: doc({
    summary: "Take all notes out",
    tag: "mailbox",
    operation_id: "clearMailbox",
    answers: { 200: { description: "It is empty.", schema: Cleared } },
    failures: [caller_errors.credential_required, ...write_failures],
  }),
  stream: doc({
    summary: "Follow your mailbox",
    description:
      "Server-sent events of kind note. The id is the seq; a stream resumes by Last-Event-ID or since. One with a " +
      "Last-Event-ID that is not usable begins at now. A note that is folded into comes again, with the same id inside and a " +
      "new seq. A since before a note that was dropped is 410.",
    tag: "mailbox",
    operation_id: "streamMailbox",
    answers: { 200: { description: "The notes.", media: ["text/event-stream"] } },
    headers: [{ name: "Last-Event-ID", description: "The id of the last event you have." }],
    failures: [
      call_errors.too_many_open,
      caller_errors.credential_required,
      mailbox_errors.notes_pruned,
      call_errors.invalid_fields,
    ],
  }),
};
