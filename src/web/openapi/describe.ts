/** Descriptions of routes, for the OpenAPI document. Tests check the answers against them. */

import type { TObject, TSchema } from "@sinclair/typebox";
import { caller_errors } from "../../core/caller_errors.ts";
import { service_errors, call_errors } from "../../core/general_errors.ts";
import { web_errors } from "../errors.ts";
import { limits } from "../../core/limits.ts";
import { idempotency_key_pattern } from "../../core/fields.ts";
import type { ErrorDefinition } from "../../core/error_definition.ts";
import type { Credentials } from "./security.ts";

/** An answer: a schema for JSON, or media types for what has none. */
interface Answer {
  description: string;
  schema?: TSchema;
  /** The media type of the JSON, if it has one of its own. */
  json?: `application/${string}+json`;
  media?: readonly string[];
  /** The JSON of a call with one of these parameters, or with `no_credential`. */
  instead?: Record<string, TSchema>;
}

/** What a header may hold beside any text, in JSON Schema. */
interface HeaderSchema {
  pattern?: string;
  maxLength?: number;
}

export interface RouteDoc {
  summary: string;
  description?: string;
  /** The name of the feature's tag. */
  tag: string;
  operation_id: string;
  /** The name of the wildcard in the path, if it has one. */
  rest?: string;
  /** The parameters, where the route also takes other forms of them. */
  params?: TObject;
  query?: TObject;
  /** The credentials, where the route itself asks for one. */
  takes?: Credentials;
  /** Whether the route also takes a request without a body. */
  body_optional?: true;
  /** Successful answers by status. */
  answers: Record<number, Answer>;
  /** The errors of this route, in addition to the errors of every route. */
  failures?: readonly ErrorDefinition[];
  /** The request headers that the route reads. */
  headers?: { name: string; description: string; required?: boolean; schema?: HeaderSchema }[];
}

/** Describes a route in the OpenAPI document. */
export const doc = (description: RouteDoc) => ({ detail: { "x-wharf": description } });

/** Describes a page. Unlike a route of the API it ignores unknown parameters. `media`: its forms, the first if none is preferred. */
export const pageDoc = ({
  media = ["text/html", "text/markdown"],
  ...described
}: Omit<RouteDoc, "tag" | "answers"> & { media?: string[] }) => {
  const answers = { 200: { description: "The page.", media } };
  const page: RouteDoc = { tag: page_tag.name, answers, ...described };
  return { detail: { "x-page": page } };
};

export const page_tag = {
  name: "pages",
  description: "Pages for browsers. Each is Markdown, too: with .md at the end of its address.",
};

/** Describes a route that is not part of the API: a form, a second address, or a document for crawlers. */
export const undocumented = { detail: { hide: true } };

/** The errors of every route. */
export const failures_anywhere = [
  call_errors.malformed_request,
  caller_errors.unknown_credential,
  caller_errors.name_suspended,
  caller_errors.address_banned,
  web_errors.origin_refused,
  web_errors.host_not_served,
  call_errors.unknown_field,
  call_errors.contains_key,
  call_errors.rate_limited,
  service_errors.internal,
  service_errors.storage_busy,
  service_errors.storage_corrupt,
  service_errors.storage_failed,
  service_errors.stopping,
];

export const idempotency_key = {
  name: "Idempotency-Key",
  description:
    "A random UUID of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. A key " +
    "that could be guessed gets no secrets again; one of less than 22 characters counts for your address alone.",
  schema: { pattern: idempotency_key_pattern, maxLength: limits.idempotency_key_chars_max },
};

/** The errors of every route that reads an Idempotency-Key. */
export const idempotency_failures = [call_errors.idempotency_key_reused, call_errors.idempotency_in_progress];

/** The header of an answer to a repeated call, in the answers of the routes that read an Idempotency-Key. */
export const replayed_header = {
  "Idempotency-Replayed": {
    description: "true: this is the answer to an earlier call with the same Idempotency-Key.",
    schema: { type: "string" },
  },
};

/** The header of calls that may wait. */
export const prefer_wait = {
  name: "Prefer",
  description: `wait=N (RFC 7240): wait for at most N seconds, up to ${limits.long_wait_seconds_max}, as wait_seconds does. A proxy may end waits of more than ${limits.wait_seconds_max} s.`,
};

/** The header of an answer to a call with a preference. */
export const applied_header = {
  "Preference-Applied": {
    description: "wait=N: the answer was held for at most N seconds, as the call preferred.",
    schema: { type: "string" },
  },
};

/** The errors of every route that writes. */
export const write_failures = [
  call_errors.rate_limited,
  service_errors.storage_full,
  service_errors.disk_budget,
];

/** The errors of every route that reads a body and writes. */
export const body_failures = [
  call_errors.invalid_fields,
  call_errors.invalid_characters,
  web_errors.malformed_json,
  web_errors.unsupported_media_type,
  web_errors.body_too_large,
  call_errors.rate_limited,
  ...idempotency_failures,
  service_errors.storage_full,
  service_errors.disk_budget,
];
