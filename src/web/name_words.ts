/** What forms say about the name that they are sent under. */

import { caller_errors } from "../core/caller_errors.ts";
import type { FormWords } from "./refused_form.ts";

/** `name`: what was entered. `next`: the path of the page with the form, to come back to after signing in. */
export const nameWords = (base: string, name: string | undefined, next: string): FormWords["by_code"] => ({
  [caller_errors.name_is_claimed.code]: {
    field: "name",
    say: [
      `${name} belongs to somebody. If it is you, `,
      { text: "sign in", href: `${base}/signin?next=${encodeURIComponent(next)}` },
      "; else choose another name.",
    ],
  },
  [caller_errors.name_reserved.code]: {
    field: "name",
    say: `Nobody may post as ${name} here. Choose another name.`,
  },
  [caller_errors.name_suspended.code]: { field: "name" },
});
