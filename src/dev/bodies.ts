/** Reads the bodies and the queries of the calls below /_dev. Every field must be known: a test must not pass because one is mistyped. */

import type { Static, TObject } from "@sinclair/typebox";
import { call_errors } from "../core/general_errors.ts";
import { fieldText, invalidFields, ServiceError } from "../core/errors.ts";
import { readJson } from "../web/body.ts";
import { knownFields } from "../web/known_fields.ts";
import { checkBy } from "../web/problems.ts";

/** Returns a reader of JSON bodies of this schema. It throws `invalid_fields`, `unknown_field` and what `readJson` throws. */
export function readerOf<Schema extends TObject>(
  schema: Schema,
): (request: Request) => Promise<Static<Schema>> {
  const check = checkBy(schema, "body");
  const known = Object.keys(schema.properties);
  const unknownIn = knownFields(known, (name) => `/${name}`);
  return async (request) => {
    const sent = await readJson(request);
    const is_object = typeof sent === "object" && sent !== null && !Array.isArray(sent);
    const unknown = is_object ? unknownIn(sent) : null;
    if (!unknown) return check(sent);
    throw unknownFields(unknown, (name) => `/${name}`, known);
  };
}

/** The query of a request, which has only parameters of these names. Throws `unknown_field`. */
export function queryOf<Name extends string>(request: Request, known: Name[]): Partial<Record<Name, string>> {
  const sent = Object.fromEntries(new URL(request.url).searchParams) as Partial<Record<Name, string>>;
  const unknown = knownFields(known, (name) => name)(sent);
  if (unknown) throw unknownFields(unknown, (name) => name, known);
  return sent;
}

/** A whole number in a query, by default 0. Throws `invalid_fields`. */
export function countIn(path: string, text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalidFields([{ path, message: "must be a whole number from 0" }]);
}

function unknownFields(names: string[], pathOf: (name: string) => string, known: string[]): ServiceError {
  const errors = names.map((name) => ({ path: pathOf(name), message: "is not known here" }));
  return new ServiceError(call_errors.unknown_field, errors.map(fieldText).join("; "), {
    errors,
    hint: `Send only: ${known.join(", ")}.`,
  });
}
