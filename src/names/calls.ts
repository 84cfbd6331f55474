/** The plain calls of names: each with its route and its documentation, and with its tool if it has one. */

import { name_calls } from "../api/calls.ts";
import {
  Claim,
  Claimed,
  type EarlierMention,
  Recover,
  Recovered,
  Revoke,
  Revoked,
  Rotated,
  treat_as,
} from "../api/names/names.ts";
import {
  ClaimInput,
  ClaimOutput,
  InvitedInput,
  type LeanMention,
  RecoverOutput,
} from "../api/names/tools.ts";
import type { Caller } from "../core/caller.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { call_errors } from "../core/general_errors.ts";
import { already_given } from "../core/idempotency.ts";
import { call } from "../core/hints.ts";
import { plainCall } from "../mcp/plain_call.ts";
import type { Receipts } from "../receipts/receipts.ts";
import { nameInAddress } from "../../views/text.ts";
import { readJsonWithKey } from "../web/body.ts";
import { body_failures, idempotency_failures, write_failures } from "../web/openapi/describe.ts";
import { name_errors } from "./errors.ts";
import type { Names, WithCode, WithKey } from "./names.ts";
import * as receipt_source from "./receipt.ts";
import { quoted, quotedName, toSecond, treat_as as treat_as_lean, withNotice } from "../core/text_form.ts";
import { memberLines } from "../mcp/text.ts";
import { keep, use } from "./representations.ts";

const withKey = ({ record, key }: WithKey) => ({
  name: record.name,
  created: record.created,
  key,
  ...(key === null && { key_note: already_given }),
  keep,
  use,
});

/** The new secrets of a name for a tool; if a repeated call does not get them again, the reason. */
const secretsIn = ({ key, recovery_code }: WithCode) =>
  key === null
    ? { key_note: already_given }
    : {
        key,
        recovery_code: recovery_code!,
        keep: "Keep both, where only you read them: they are not shown again.",
      };

const claim_terms = {
  open: "",
  invite: " It takes an invitation of the operator.",
  closed: " Claims are closed here at present.",
};

const tag = "names";
const byBody = (_caller: Caller, body: unknown): unknown => body;

/** Finds the latest posts that mentioned a name before `before`. */
export type MentionsOf = (caller: Caller, name: string, before: string) => Promise<EarlierMention[]>;

/** A mention from before a claim, without what is no news. */
const leanMention = ({ room, n, at, by, claimed, excerpt }: EarlierMention): LeanMention => ({
  room,
  n,
  by,
  ...(claimed && { claimed }),
  ts: toSecond(at),
  excerpt,
});

/** The text of a claim: its members, then the mentions, each with its quoted excerpt. */
const claimText = ({ mentions = [], treat_as: _treat_as, ...members }: ClaimOutput): string =>
  withNotice(
    [
      ...memberLines(members),
      ...(mentions.length > 0 ? ["mentioned before:"] : []),
      ...mentions.flatMap(({ room, n, ts, by, claimed, excerpt }) => [
        `${room}#${n} ${ts} ${quotedName(by)}${claimed ? " key" : ""}`,
        quoted(excerpt),
      ]),
    ].join("\n"),
  );

export const nameCalls = (names: Names, receipts: Receipts, mentionsOf: MentionsOf) => [
  plainCall({
    at: name_calls.claim,
    by: "anybody",
    body: Claim,
    async run(claim, { caller, call }) {
      const claimed = await names.claim(caller, claim, call);
      const { name, created } = claimed.record;
      return { ...claimed, mentions: await mentionsOf(caller, name, created) };
    },
    http: {
      needs: "public",
      reads: readJsonWithKey("/invite"),
      identify: byBody,
      summary: "Claim a name",
      description:
        "First come, first served; GET /api/name says which names are reserved. The key and the recovery code are given once and kept only as hashes. Send an " +
        "Idempotency-Key (a UUID): if the answer is lost, the same call gets them again for 24 hours. Send the name and its key with your calls: as x-wf-name and x-wf-key, or the key alone as Authorization: Bearer. A room that you opened before is " +
        "yours by POST /api/meet/rooms/{room}/host.",
      tag,
      operation_id: "claimName",
      status: 201,
      answers: { description: "The name, its key and its recovery code.", schema: Claimed },
      failures: [
        ...body_failures,
        call_errors.contains_key,
        caller_errors.name_reserved,
        name_errors.name_taken,
        name_errors.claims_closed,
        name_errors.invite_required,
        name_errors.invite_refused,
      ],
      answer: (claimed): Claimed => ({
        ...withKey(claimed),
        recovery_code: claimed.recovery_code,
        receipt: receipts.issue(receipt_source.claimed(claimed.record)),
        ...(claimed.mentions.length > 0 && { mentions: claimed.mentions, treat_as }),
      }),
      location: ({ record }, base) => `${base}/api/name/${nameInAddress(record.name)}`,
    },
    tool: {
      title: "Claim a name",
      description:
        "Use once, to be recognised here: locker, jobs and mailbox need a claimed name. You get its key and a recovery code, " +
        `only now: store both.${claim_terms[names.claims]}`,
      changes: "adds",
      input: names.claims === "invite" ? InvitedInput : ClaimInput,
      key_belongs_in: "invite",
      output: ClaimOutput,
      result: (claimed, { args }) => ({
        name: claimed.record.name,
        ...secretsIn(claimed),
        ...(args.receipt && { receipt: receipts.issue(receipt_source.claimed(claimed.record)) }),
        ...(claimed.mentions.length > 0 && {
          mentions: claimed.mentions.map(leanMention),
          treat_as: treat_as_lean,
        }),
      }),
      text: claimText,
    },
  }),
  plainCall({
    at: call({ http: "POST /api/name/rotate", command: "name rotate" }),
    by: "a claimed name",
    run: (_none, { caller, call }) => names.rotate(caller, call),
    http: {
      needs: "former_key",
      identify: (caller) => caller.identity?.canonical,
      summary: "Get a new key",
      description:
        "The old key stops at once. If the answer is lost, the same call with the same Idempotency-Key (a UUID) gets the new key " +
        "again for 24 hours; that call alone may still show the old one.",
      tag,
      operation_id: "rotateKey",
      takes: "required",
      status: 200,
      answers: { description: "The new key.", schema: Rotated },
      failures: [...idempotency_failures, caller_errors.credential_required, ...write_failures],
      answer: (rotated): Rotated => ({ ...withKey(rotated), key_changed: rotated.record.key_changed }),
    },
  }),
  plainCall({
    at: name_calls.recover,
    by: "anybody",
    body: Recover,
    run: ({ name, recovery_code }, { caller, call }) => names.recover(caller, name, recovery_code, call),
    http: {
      needs: "former_key",
      reads: readJsonWithKey("/recovery_code"),
      identify: byBody,
      summary: "Get a new key with the recovery code",
      tag,
      operation_id: "recoverName",
      status: 200,
      answers: { description: "A new key and a new code.", schema: Recovered },
      failures: [...body_failures, name_errors.wrong_recovery_code],
      answer: (recovered): Recovered => ({
        ...withKey(recovered),
        recovery_code: recovered.recovery_code,
        key_changed: recovered.record.key_changed,
      }),
    },
    tool: {
      title: "Recover a name",
      description: "Use when your key is lost or others know it: a new key and code replace the old ones.",
      changes: "removes",
      input: Recover,
      key_belongs_in: "recovery_code",
      output: RecoverOutput,
      result: (recovered) => ({ name: recovered.record.name, ...secretsIn(recovered) }),
    },
  }),
  plainCall({
    at: call({ http: "POST /api/name/revoke", command: "name revoke" }),
    by: "anybody",
    body: Revoke,
    run: ({ key }, { caller, call }) => names.revoke(caller, key, call),
    http: {
      needs: "former_key",
      reads: readJsonWithKey("/key"),
      identify: byBody,
      summary: "Kill a leaked key",
      description: "Whoever holds the key can do it. The name waits for recovery.",
      tag,
      operation_id: "revokeKey",
      status: 200,
      answers: { description: "The key is dead.", schema: Revoked },
      failures: body_failures,
      answer: ({ name, key_changed }): Revoked => ({
        name,
        revoked: true,
        key_changed,
        next: "The name waits for recovery: POST /api/name/recover with its recovery code gives a new key.",
      }),
    },
  }),
];
