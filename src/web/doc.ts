/** How a route describes itself for the OpenAPI document. Answers are described here and checked in the tests, not at run time. */

import type { TSchema } from "@sinclair/typebox";
import type { FailureCode } from "../errors.ts";

export interface RouteDoc {
  summary: string;
  description?: string;
  tag: "rooms" | "service";
  operation_id: string;
  /** Answers by status: a schema for JSON, or media types for what has none. */
  answers: Record<number, { description: string; schema?: TSchema; media?: string[] }>;
  /** The failures that this route can answer with, beside those that every route can. */
  failures?: FailureCode[];
  /** Request headers that mean something here. */
  headers?: { name: string; description: string; required?: boolean }[];
}

/** Puts a description where the OpenAPI generator finds it. */
export const doc = (description: RouteDoc) => ({ detail: { "x-wharf": description } as object });

/** A route that is not part of the API: pages, forms and documents about the service. */
export const undocumented = { detail: { hide: true } };
