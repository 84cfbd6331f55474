/** Arguments that tools of several features take: the length of a page, its cursor, a receipt. */

import { Type } from "@sinclair/typebox";
import { Count } from "../core/fields.ts";

/** The most items of a page. */
export const PageLimit = (page_default: number, page_max: number) =>
  Type.Optional({
    ...Count({ description: "", minimum: 1, maximum: page_max }),
    default: page_default,
  });

export const Cursor = Type.Optional(Type.String({ description: "A next_cursor." }));

/** How long a result may be. A result has whole items, one at least. */
export const MaxTokens = Type.Optional(Count({ description: "", minimum: 1, maximum: 1_000_000 }));

export const WantsReceipt = Type.Optional(Type.Boolean());
