/** The words that scenes are written in: what is done, what is refused, and by whom. */

import type { ErrorCode } from "../../../src/app/error_catalog.ts";
import type { Act, Kept, Step } from "./scene.ts";
import type { Args } from "./translations.ts";

type More = Omit<Act, "tool" | "args" | "refused">;
export const done = (tool: string, args: Act["args"], as?: string, more: More = {}): Act => ({
  tool,
  args,
  ...(as !== undefined && { as }),
  ...more,
});
export const refused = (
  code: ErrorCode,
  tool: string,
  args: Act["args"],
  as?: string,
  more: More = {},
): Act => ({
  ...done(tool, args, as, more),
  refused: code,
});
/** Claims a name and keeps its key under it. */
export const claim = (name: string): Act =>
  done("name_claim", { name }, undefined, { keep: { [name]: "key" } });

/** A call shown a wrong key, and none where one is needed. */
export const unauthenticated = (tool: string, args: Act["args"]): Act[] => [
  refused("unknown_credential", tool, args, "Ada", { with_key_of: "Bob" }),
  refused("credential_required", tool, args),
];

/** A text of one character more than that. */
export const long = (chars: number): string => "x".repeat(chars + 1);
export const nowhere = "00000000-0000-7000-8000-000000000000";
export const inRoom = (more: Args) => (kept: Kept) => ({ room: kept.room!, ...more });
export const names: Step[] = ["Ada", "Bob", "Carol"].map(claim);

export const ofJob =
  (more: Args = {}) =>
  (kept: Kept) => ({ id: kept.job!, ...more });
export const text = { title: "Count the words", detail: "In the\npreamble." };
export const post = (as: string, more: Args = {}): Act =>
  done("job_post", { ...text, ...more }, as, { keep: { job: "id" } });
export const delivery = { result: "52 words" };

export const put = (slot: string, value: string, more: Args = {}) => ({ slot, value, ...more });
