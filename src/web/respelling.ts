/** Spellings of a value that can mean one thing only: "20" for 20, "true" for true, "Public" for "public", one tag for a list. */

import type { TSchema } from "@sinclair/typebox";

/** A copy of the object `sent` with its members spelled as `schema` has them, where that is unambiguous; null if it has none. */
export function respelled(schema: TSchema, sent: unknown): Record<string, unknown> | null {
  if (typeof sent !== "object" || sent === null || schema.type !== "object") return null;
  const fields = schema.properties as Record<string, TSchema>;
  const changed = Object.entries(sent).flatMap(([name, value]) => {
    if (typeof value !== "string" || !Object.hasOwn(fields, name)) return [];
    const meant = meantBy(fields[name]!, value);
    return meant === undefined ? [] : [[name, meant]];
  });
  return changed.length === 0 ? null : { ...sent, ...Object.fromEntries(changed) };
}

/** What `text` means in a field of this schema; undefined if it may be meant as it is, or could mean several things. */
function meantBy({ type, anyOf }: TSchema, text: string): unknown {
  if (type === "integer") return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (type === "boolean") return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === "true" : undefined;
  if (type === "array") return text.split(",").map((item) => item.trim());
  const options = ((anyOf ?? []) as TSchema[]).map((option) => option.const as unknown);
  return options.find((option) => typeof option === "string" && option === text.toLowerCase());
}
