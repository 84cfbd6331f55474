/** Reads the bodies of the calls below /_dev. Every field must be known: a test must not pass because one is mistyped. */

import type { Static, TObject } from "@sinclair/typebox";
import { call_errors } from "../core/error_codes.ts";
import { fieldText, ServiceError } from "../core/errors.ts";
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
    const errors = unknown.map((name) => ({ path: `/${name}`, message: "is not known here" }));
    throw new ServiceError(call_errors.unknown_field, errors.map(fieldText).join("; "), {
      errors,
      hint: `Send only: ${known.join(", ")}.`,
    });
  };
}
