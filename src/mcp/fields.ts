/** Arguments that tools of several features take: the length of a page, and its cursor. */

import { Type } from "@sinclair/typebox";
import { Count } from "../core/fields.ts";

/** The most items of a page. `of_what` begins its description. */
export const PageLimit = (page_default: number, page_max: number, of_what = "") =>
  Type.Optional(
    Count({ description: `${of_what}${page_default} when left out.`, minimum: 1, maximum: page_max }),
  );

export const Cursor = Type.Optional(Type.String({ description: "The next_cursor of the page before." }));
