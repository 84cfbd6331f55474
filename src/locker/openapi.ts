/** OpenAPI annotations of the routes of lockers. */

import { service_errors, call_errors } from "../core/general_errors.ts";
import { locker_errors } from "./errors.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { web_errors } from "../web/errors.ts";
import { body_failures, doc, write_failures } from "../web/openapi/describe.ts";
import {
  Locker,
  LockerGuide,
  LockerIndex,
  PublicSlot,
  Slot,
  SlotDeleted,
  SlotWritten,
} from "../api/locker/locker.ts";

const if_match = { name: "If-Match", description: "Act only on the version with this ETag." };

export const docs = {
  list: doc({
    summary: "Your locker",
    description: "Without a credential the answer only says what a locker is.",
    tag: "locker",
    operation_id: "listSlots",
    takes: "required",
    answers: {
      200: {
        description: "The slots without values.",
        schema: Locker,
        instead: { no_credential: LockerGuide },
      },
    },
    failures: [call_errors.invalid_fields],
  }),
  index: doc({
    summary: "Every locker and the names of its slots",
    description: "A page ends before its limit where its lockers have many slots.",
    tag: "locker",
    operation_id: "listLockers",
    answers: { 200: { description: "Names, no values.", schema: LockerIndex, media: ["text/markdown"] } },
    failures: [call_errors.invalid_fields, web_errors.not_acceptable, service_errors.answers_busy],
  }),
  get: doc({
    summary: "Read one of your slots",
    description:
      "With Accept: text/plain the bare value; as markdown with Accept: text/markdown, or with .md after the name where no slot is called so.",
    tag: "locker",
    operation_id: "readSlot",
    rest: "slot",
    answers: { 200: { description: "The slot.", schema: Slot, media: ["text/plain", "text/markdown"] } },
    failures: [caller_errors.credential_required, locker_errors.slot_not_found, web_errors.not_acceptable],
  }),
  put: doc({
    summary: "Write one of your slots",
    description:
      "A text/plain body is the bare value; public, expires_in and expected_version may then stand in the query.",
    tag: "locker",
    operation_id: "writeSlot",
    rest: "slot",
    answers: {
      200: { description: "The slot was replaced.", schema: SlotWritten },
      201: { description: "The slot is new.", schema: SlotWritten },
    },
    headers: [if_match, { name: "If-None-Match", description: "*: write only where there is none." }],
    failures: [
      ...body_failures,
      caller_errors.credential_required,
      call_errors.contains_key,
      locker_errors.precondition_failed,
      locker_errors.slot_too_large,
      locker_errors.locker_full,
      locker_errors.locker_slots_full,
    ],
  }),
  remove: doc({
    summary: "Delete one of your slots",
    tag: "locker",
    operation_id: "deleteSlot",
    rest: "slot",
    answers: { 200: { description: "It is gone.", schema: SlotDeleted } },
    headers: [if_match],
    failures: [
      caller_errors.credential_required,
      locker_errors.slot_not_found,
      locker_errors.precondition_failed,
      ...write_failures,
    ],
  }),
  getPublic: doc({
    summary: "Read a public slot",
    description:
      "As JSON, as plain text, as markdown or as a page. A private slot and a missing one look the same.",
    tag: "locker",
    operation_id: "readPublicSlot",
    rest: "slot",
    answers: {
      200: {
        description: "The value.",
        schema: PublicSlot,
        media: ["text/plain", "text/html", "text/markdown"],
      },
    },
    failures: [locker_errors.slot_not_found, web_errors.not_acceptable],
  }),
};
