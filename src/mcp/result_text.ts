/** The JSON of results. A result that many calls return is serialised once. */

const json = Symbol("the JSON of a result that many calls return");
type Result = object & { [json]?: string | null };

/** Marks a result that other calls return, too: its JSON is made at the first call and stored. It must not change afterwards. */
export function share<Shared extends Result>(result: Shared): Shared {
  result[json] = null;
  return result;
}

export function jsonOf(result: Result): string {
  const known = result[json];
  if (typeof known === "string") return known;
  const text = JSON.stringify(result);
  if (known === null) result[json] = text;
  return text;
}
