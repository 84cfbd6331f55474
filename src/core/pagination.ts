/** Cursors of lists: opaque to callers. Invalid ones are refused. */

import { invalidFields } from "./errors.ts";

export const encodeCursor = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString("base64url");

/** The position in a cursor. Throws `invalid_fields` (in `path`) if it is not a cursor of this kind of list. */
export function decodeCursor<Value>(
  cursor: string,
  isValue: (value: unknown) => value is Value,
  path = "cursor",
): Value {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (isValue(value)) return value;
  } catch {
    // All invalid cursors get the same error.
  }
  throw invalidFields([{ path, message: "is not a cursor of this list" }]);
}
