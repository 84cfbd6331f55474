/** The functions that scenes are written with. */

import type { ErrorCode } from "../../../src/app/error_catalog.ts";
import type { ToolStep, Saved, Step } from "./scene.ts";
import type { Args } from "./translations.ts";

type More = Omit<ToolStep, "tool" | "args" | "refused">;
export const done = (tool: string, args: ToolStep["args"], as?: string, more: More = {}): ToolStep => ({
  tool,
  args,
  ...(as !== undefined && { as }),
  ...more,
});
export const refused = (
  code: ErrorCode,
  tool: string,
  args: ToolStep["args"],
  as?: string,
  more: More = {},
): ToolStep => ({
  ...done(tool, args, as, more),
  refused: code,
});
/** Claims a name and saves its key under that name. */
export const claim = (name: string): ToolStep =>
  done("name_claim", { name }, undefined, { save: { [name]: "key" } });

/** A call with a wrong key, and one without a key. */
export const unauthenticated = (tool: string, args: ToolStep["args"]): ToolStep[] => [
  refused("unknown_credential", tool, args, "Ada", { with_key_of: "Bob" }),
  refused("credential_required", tool, args),
];

/** A text with one character more than `chars`. */
export const long = (chars: number): string => "x".repeat(chars + 1);
export const nowhere = "00000000-0000-7000-8000-000000000000";
export const inRoom = (more: Args) => (saved: Saved) => ({ room: saved.room!, ...more });
export const names: Step[] = ["Ada", "Bob", "Carol"].map(claim);

export const ofJob =
  (more: Args = {}) =>
  (saved: Saved) => ({ id: saved.job!, ...more });
export const text = { title: "Count the words", detail: "In the\npreamble." };
export const post = (as: string, more: Args = {}): ToolStep =>
  done("job_post", { ...text, ...more }, as, { save: { job: "id" } });
export const delivery = { result: "52 words" };

export const put = (slot: string, value: string, more: Args = {}) => ({ slot, value, ...more });
