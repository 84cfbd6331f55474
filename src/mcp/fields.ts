/** Arguments that tools of several features take: how much to tell at once, and where to go on. */

import { Type } from "@sinclair/typebox";
import { Count } from "../core/fields.ts";

/** How many to tell at once; `of_what` comes before the rest of its description. */
export const PageLimit = (page_default: number, page_max: number, of_what = "") =>
  Type.Optional(
    Count({ description: `${of_what}${page_default} when left out.`, minimum: 1, maximum: page_max }),
  );

export const Cursor = Type.Optional(Type.String({ description: "The next_cursor of the page before." }));
