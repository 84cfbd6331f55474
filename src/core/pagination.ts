/** Cursors of lists: opaque to callers, and refused when they are not ours. */

import { invalidFields } from "./errors.ts";

export const encodeCursor = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString("base64url");

/** What a cursor stands for. Throws `invalid_fields` for one that this kind of list did not give out. */
export function decodeCursor<Value>(cursor: string, isValue: (value: unknown) => value is Value): Value {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (isValue(value)) return value;
  } catch {
    // Falls through to the one answer that every unusable cursor gets.
  }
  throw invalidFields([{ path: "cursor", message: "is not a cursor that this list gave out" }]);
}
