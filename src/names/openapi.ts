/** OpenAPI annotations of the routes of names. */

import { Type } from "@sinclair/typebox";
import { service_errors } from "../core/service_errors.ts";
import { web_errors } from "../web/errors.ts";
import { name_errors } from "./errors.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { call_errors } from "../core/error_codes.ts";
import { body_failures, doc, idempotency_failures, idempotency_key } from "../web/openapi/describe.ts";
import { Claimed, NameLookup, Recovered, Revoked, Rotated, WhoAmI } from "../api/names/names.ts";

export const docs = {
  claim: doc({
    summary: "Claim a name",
    description:
      "First come, first served. The key and the recovery code are given once and kept only as hashes. Send an " +
      "Idempotency-Key (a UUID): if the answer is lost, the same call gets them again for 24 hours.",
    tag: "names",
    operation_id: "claimName",
    answers: { 201: { description: "The name, its key and its recovery code.", schema: Claimed } },
    headers: [idempotency_key],
    failures: [
      ...body_failures,
      call_errors.contains_key,
      caller_errors.name_reserved,
      name_errors.name_taken,
      name_errors.claims_closed,
      name_errors.invite_required,
      name_errors.invite_refused,
    ],
  }),
  about: doc({
    summary: "What a name is and how to get one",
    tag: "names",
    operation_id: "describeNames",
    answers: { 200: { description: "In words.", schema: Type.Record(Type.String(), Type.String()) } },
  }),
  lookup: doc({
    summary: "Look a name up",
    tag: "names",
    operation_id: "lookUpName",
    answers: { 200: { description: "The claimed name.", schema: NameLookup, media: ["text/markdown"] } },
    failures: [name_errors.name_not_claimed, web_errors.not_acceptable],
  }),
  whoami: doc({
    summary: "Whose credential this is",
    tag: "names",
    operation_id: "whoAmI",
    answers: { 200: { description: "The name that the credential belongs to.", schema: WhoAmI } },
    failures: [caller_errors.credential_required],
  }),
  rotate: doc({
    summary: "Get a new key",
    description:
      "The old key stops at once. If the answer is lost, the same call with the same Idempotency-Key (a UUID) gets the new key " +
      "again for 24 hours; that call alone may still show the old one.",
    tag: "names",
    operation_id: "rotateKey",
    takes: "required",
    answers: { 200: { description: "The new key.", schema: Rotated } },
    headers: [idempotency_key],
    failures: [
      ...idempotency_failures,
      caller_errors.credential_required,
      call_errors.rate_limited,
      service_errors.storage_full,
      service_errors.disk_budget,
    ],
  }),
  recover: doc({
    summary: "Get a new key with the recovery code",
    tag: "names",
    operation_id: "recoverName",
    answers: { 200: { description: "A new key and a new code.", schema: Recovered } },
    headers: [idempotency_key],
    failures: [...body_failures, name_errors.wrong_recovery_code],
  }),
  revoke: doc({
    summary: "Kill a leaked key",
    description: "Whoever holds the key can do it. The name waits for recovery.",
    tag: "names",
    operation_id: "revokeKey",
    answers: { 200: { description: "The key is dead.", schema: Revoked } },
    headers: [idempotency_key],
    failures: body_failures,
  }),
};
