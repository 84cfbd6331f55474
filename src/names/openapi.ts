/** The names' routes as the OpenAPI document tells them. */

import { Type } from "@sinclair/typebox";
import { body_failures, credential_headers, doc, idempotency_key } from "../web/openapi/describe.ts";
import { Claimed, NameLookup, Recovered, Revoked, Rotated, WhoAmI } from "./schema.ts";

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
    failures: [...body_failures, "contains_key", "name_reserved", "name_taken"],
  }),
  about: doc({
    summary: "What a name is and how to get one",
    tag: "names",
    operation_id: "aboutNames",
    answers: { 200: { description: "In words.", schema: Type.Record(Type.String(), Type.String()) } },
  }),
  lookup: doc({
    summary: "Look a name up",
    tag: "names",
    operation_id: "lookUpName",
    answers: { 200: { description: "The claimed name.", schema: NameLookup, media: ["text/markdown"] } },
    failures: ["name_not_claimed", "not_acceptable"],
  }),
  whoami: doc({
    summary: "Whose credential this is",
    tag: "names",
    operation_id: "whoAmI",
    answers: { 200: { description: "The name that the credential belongs to.", schema: WhoAmI } },
    headers: credential_headers,
    failures: ["credential_required"],
  }),
  rotate: doc({
    summary: "Get a new key",
    description:
      "The old key stops at once. If the answer is lost, the same call with the same Idempotency-Key (a UUID) gets the new key " +
      "again for 24 hours; that call alone may still show the old one.",
    tag: "names",
    operation_id: "rotateKey",
    answers: { 200: { description: "The new key.", schema: Rotated } },
    headers: [...credential_headers, idempotency_key],
    failures: ["credential_required", "rate_limited", "storage_full", "disk_budget"],
  }),
  recover: doc({
    summary: "Get a new key with the recovery code",
    tag: "names",
    operation_id: "recoverName",
    answers: { 200: { description: "A new key and a new code.", schema: Recovered } },
    headers: [idempotency_key],
    failures: [...body_failures, "wrong_recovery_code"],
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
