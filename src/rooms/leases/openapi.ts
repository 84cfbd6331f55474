/** OpenAPI annotations of the routes of leases. */

import { BrokenLeases, CheckedLeases, LeaseList, ReleasedLease, TakenLease } from "../../api/leases.ts";
import { caller_errors } from "../../core/caller_errors.ts";
import { call_errors } from "../../core/general_errors.ts";
import { room_errors } from "../errors.ts";
import { no_room } from "../openapi.ts";
import {
  body_failures,
  doc,
  idempotency_failures,
  idempotency_key,
  prefer_wait,
  write_failures,
} from "../../web/openapi/describe.ts";
import { lease_errors } from "./errors.ts";

const tag = "leases";
const acting = [
  ...body_failures,
  caller_errors.credential_required,
  ...no_room,
  ...write_failures,
  ...idempotency_failures,
];

export const docs = {
  take: doc({
    summary: "Take a lease",
    description:
      "All paths or none, by a claimed name that may speak in the room. A path covers what lies below it. With wait_seconds you wait in " +
      "line, and keep your place for 60 seconds beyond that: the same call again goes on from there.",
    tag,
    operation_id: "takeLease",
    answers: { 201: { description: "You hold them.", schema: TakenLease } },
    headers: [idempotency_key, prefer_wait],
    failures: [
      ...acting,
      call_errors.contains_key,
      call_errors.too_many_open,
      room_errors.room_closed,
      lease_errors.lease_held,
      lease_errors.too_many_leases,
    ],
  }),
  extend: doc({
    summary: "Hold a lease longer",
    description: "It ends ttl_seconds from now.",
    tag,
    operation_id: "extendLease",
    answers: { 200: { description: "You hold them.", schema: TakenLease } },
    headers: [idempotency_key],
    failures: [...acting, room_errors.room_closed, lease_errors.lease_lost],
  }),
  release: doc({
    summary: "Give a lease back",
    tag,
    operation_id: "releaseLease",
    answers: { 200: { description: "Others can take it.", schema: ReleasedLease } },
    headers: [idempotency_key],
    failures: [...acting, lease_errors.lease_lost],
  }),
  break: doc({
    summary: "End the leases of others",
    description:
      "By the host of the room: its host_key, or the claimed name that is the host. Each holder finds a note.",
    tag,
    operation_id: "breakLeases",
    answers: { 200: { description: "What has ended.", schema: BrokenLeases } },
    headers: [{ name: "x-meet-key", description: "The room's host_key.", required: false }, idempotency_key],
    failures: [
      ...body_failures,
      ...no_room,
      room_errors.host_key_required,
      room_errors.wrong_host_key,
      ...write_failures,
      ...idempotency_failures,
    ],
  }),
  list: doc({
    summary: "Who holds what in a room",
    tag,
    operation_id: "listLeases",
    answers: { 200: { description: "The leases of the room.", schema: LeaseList } },
    failures: [...no_room, call_errors.invalid_fields],
  }),
  check: doc({
    summary: "Look whether paths are held",
    description: "Changes nothing. One call for many paths, such as those of a commit.",
    tag,
    operation_id: "checkLeases",
    answers: { 200: { description: "What is held of these paths.", schema: CheckedLeases } },
    failures: [...no_room, ...body_failures],
  }),
};
