/**
 * Unknown fields of a request. A field that resembles a known one is refused, so that a mistyped `visibility` never opens a
 * public room. Any other is ignored, and the answer names it.
 */

import { call_errors } from "../core/general_errors.ts";
import { editDistance } from "../core/edit_distance.ts";
import { fieldText, ServiceError, type FieldError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { web_limits } from "./limits.ts";

/** Other names that callers use for a field. They count only if the field is known and the other name is not. */
const aliases: Record<string, readonly string[]> = {
  in_reply_to: ["reply_to", "reply", "parent", "parent_id", "reply_id", "replying_to", "thread"],
  body: ["text", "message", "content", "msg", "post", "comment"],
  goal: ["question", "topic", "title", "subject", "prompt"],
  question: ["goal", "topic", "title", "body", "text", "message", "prompt"],
  name: ["author", "from", "user", "username", "speaker", "nick", "nickname", "agent", "sender", "member"],
  visibility: ["public", "private", "unlisted", "is_public", "is_private", "hidden", "access"],
  role: ["permission", "level"],
  add_members: ["invite", "invite_members", "add_mentioned"],
  value: ["content", "text", "data", "body"],
  public: ["is_public", "visibility", "private", "is_private"],
  expires_in: ["ttl", "ttl_seconds", "expires", "expires_at", "expiry"],
  expected_version: ["version", "if_version"],
  detail: ["description", "body", "text", "content"],
  title: ["subject", "summary"],
  tags: ["labels", "topics"],
  result: ["output", "answer", "text", "body", "content"],
  verdict: ["decision", "outcome", "status", "accept", "accepted"],
  reason: ["comment", "note", "why"],
  invite: ["invitation", "invite_code", "invitation_code"],
  recovery_code: ["code", "recovery"],
  key: ["api_key", "secret", "token", "password"],
  through: ["seq", "until", "up_to"],
  once: ["idempotency_key", "idempotency_id", "request_id"],
  receipt: ["jws", "token"],
  room: ["slug", "room_id", "channel"],
  slot: ["slot_name"],
  id: ["job_id", "job"],
  since: ["after", "since_id", "since_ts"],
  before: ["until", "before_id"],
  limit: ["max", "count", "per_page", "page_size"],
  wait_seconds: ["wait", "timeout", "timeout_seconds", "wait_for"],
  cursor: ["next", "next_cursor", "page", "offset", "page_token"],
  q: ["query", "search"],
  query: ["q", "search", "search_query"],
  state: ["status"],
  tag: ["tags", "label"],
  by: ["poster", "author", "user"],
  sort: ["order", "order_by", "sort_by"],
};

/** The same spelling for `inReplyTo`, `in-reply-to` and `in_reply_to`. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** The known field that `name` resembles, or null. Not all characters may differ: `x` does not resemble `q`. */
export function fieldMeant(name: string, known: readonly string[]): string | null {
  const sent = plain(name);
  const same = known.find((field) => plain(field) === sent);
  if (same) return same;
  const alias = known.find((field) => aliases[field]?.some((other) => plain(other) === sent));
  if (alias) return alias;
  let nearest: { field: string; distance: number } | null = null;
  for (const field of known) {
    if (Math.abs(field.length - name.length) > web_limits.field_edits_max) continue;
    const distance = editDistance(name.toLowerCase(), field);
    if (distance > web_limits.field_edits_max || distance >= field.length) continue;
    if (!nearest || distance < nearest.distance) nearest = { field, distance };
  }
  return nearest?.field ?? null;
}

// A caller's field name appears in headers and errors, so it must look like a name and be too short for a key.
const showable = /^[A-Za-z0-9_.-]{1,40}$/;
const shown = (name: string): string => (showable.test(name) ? name : "?");

/**
 * Returns a check for objects with the fields `known`. `pathOf` gives the path of a field in an error. `headers`: the headers
 * that callers send as fields, by the plain names of these.
 */
export function knownFields(
  known: readonly string[],
  pathOf: (name: string) => string,
  headers: Record<string, string> = {},
) {
  const names = new Set(known);

  /**
   * The names of the ignored fields of `sent`, safe to show; null if there are none. Throws `unknown_field` for names that
   * resemble a known field, and if there are more than `web_limits.unknown_fields_max`.
   */
  return function ignoredIn(sent: object): string[] | null {
    let unknown: string[] | undefined;
    for (const name in sent) if (!names.has(name)) (unknown ??= []).push(name);
    if (!unknown) return null;
    if (unknown.length > web_limits.unknown_fields_max) {
      throw new ServiceError(
        call_errors.unknown_field,
        `More than ${web_limits.unknown_fields_max} fields are not known.`,
        {
          hint: `Send only: ${known.join(", ")}.`,
        },
      );
    }
    refuseHeaders(unknown, headers, pathOf);
    refuseMeant(unknown, known, pathOf);
    return unknown.map(shown);
  };
}

function refuseHeaders(
  unknown: string[],
  headers: Record<string, string>,
  pathOf: (name: string) => string,
): void {
  const name = unknown.find((name) => Object.hasOwn(headers, plain(name)));
  if (name === undefined) return;
  const error = { path: pathOf(shown(name)), message: `is the header ${headers[plain(name)]}, not a field` };
  const hint = "Send it as that header.";
  throw new ServiceError(call_errors.unknown_field, fieldText(error), { errors: [error], hint });
}

function refuseMeant(unknown: string[], known: readonly string[], pathOf: (name: string) => string): void {
  const errors: FieldError[] = [];
  for (const name of unknown) {
    const meant = fieldMeant(name, known);
    if (meant === null || errors.length === limits.field_errors_max) continue;
    const message = `is not known here: did you mean ${meant}?`;
    errors.push({ path: pathOf(shown(name)), message, did_you_mean: meant });
  }
  if (errors.length === 0) return;
  throw new ServiceError(call_errors.unknown_field, errors.map(fieldText).join("; "), {
    errors,
    hint: "Send the field under the name that is meant, or leave it out.",
  });
}

/** The header that names ignored fields. */
export const ignored_header = "x-ignored-fields";

/** The ignored fields in one line: the first ones, and the number of the others. */
export function ignoredText(ignored: readonly string[]): string {
  const named = ignored.slice(0, web_limits.ignored_fields_named);
  const left = ignored.length - named.length;
  return named.join(", ") + (left > 0 ? `, and ${left} more` : "");
}
