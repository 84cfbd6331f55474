/** How a route describes itself for the OpenAPI document. Answers are described here and checked in the tests, not at run time. */

import type { TSchema } from "@sinclair/typebox";
import { service_errors } from "../../core/service_errors.ts";
import { web_errors } from "../errors.ts";
import { call_errors } from "../../core/error_codes.ts";
import type { ErrorDefinition } from "../../core/error_definition.ts";

export interface RouteDoc {
  summary: string;
  description?: string;
  tag: "rooms" | "names" | "locker" | "jobs" | "mailbox" | "beacon" | "receipts" | "service";
  operation_id: string;
  /** What the rest of the path is called, where the route takes one. */
  rest?: string;
  /** Answers by status: a schema for JSON, or media types for what has none. */
  answers: Record<number, { description: string; schema?: TSchema; media?: string[] }>;
  /** The failures that this route can answer with, beside those that every route can. */
  failures?: ErrorDefinition[];
  /** Request headers that mean something here. */
  headers?: { name: string; description: string; required?: boolean }[];
}

/** Puts a description where the OpenAPI generator finds it. */
export const doc = (description: RouteDoc) => ({ detail: { "x-wharf": description } as object });

/** A route that is not part of the API: pages, forms and documents about the service. */
export const undocumented = { detail: { hide: true } };

export const idempotency_key = {
  name: "Idempotency-Key",
  description:
    "A key of your own: the same call sent again within 24 hours does nothing twice and gets the first answer again. With 22 " +
    "characters or more (a UUID) secrets are in it again, too; a shorter key counts for your address alone.",
};
export const credential_headers = [
  { name: "x-wf-name", description: "A claimed name." },
  { name: "x-wf-key", description: "Its key. Authorization: Bearer with the key alone does as well." },
];

/** What any route can answer with that takes a body and writes. */
export const body_failures: ErrorDefinition[] = [
  call_errors.invalid_fields,
  call_errors.invalid_characters,
  web_errors.malformed_json,
  web_errors.unsupported_media_type,
  web_errors.body_too_large,
  call_errors.rate_limited,
  call_errors.idempotency_key_reused,
  call_errors.idempotency_in_progress,
  service_errors.storage_full,
  service_errors.disk_budget,
];
