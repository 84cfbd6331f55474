/** Input and output schemas of the locker tools, built from the fields of the HTTP API. */

import { Type } from "@sinclair/typebox";
import { Count } from "../../core/fields.ts";
import { Cursor, MaxTokens } from "../tool_fields.ts";
import { LeanIndex, LeanLocker, PublicSlot, PutSlot, Slot, SlotDeleted, SlotWritten } from "./locker.ts";
import { locker_limits } from "../limits.ts";

const slot = Type.String({ description: "Letters, digits and . - _ /" });

export const PutInput = Type.Object({ slot, ...PutSlot.properties });
export const PutOutput = Type.Pick(SlotWritten, ["slot", "version", "expires_at", "public_url"]);

export const GetInput = Type.Object({
  slot,
  owner: Type.Optional(Type.String({ description: "Whose public slot; yours by default." })),
  max_tokens: MaxTokens,
});
/** A slot of the caller, or a public slot of another name. `more`: its value did not fit into max_tokens. */
export const GetOutput = Type.Object({
  ...Type.Partial(Type.Object({ ...Slot.properties, ...PublicSlot.properties })).properties,
  slot: Slot.properties.slot,
  updated: Slot.properties.updated,
  more: Type.Optional(Type.Literal(1)),
});

const page = {
  limit: Type.Optional(
    Count({
      description: `Default: all slots, ${locker_limits.mcp_lockers_page_default} lockers.`,
      minimum: 1,
      maximum: locker_limits.mcp_lockers_page_max,
    }),
  ),
  cursor: Cursor,
};
export const ListInput = Type.Object({
  of: Type.Optional(
    Type.Union([Type.Literal("own"), Type.Literal("all")], {
      default: "own",
      description: "all needs no key.",
    }),
  ),
  ...page,
});
/** The slots of the caller, or a page of all lockers. */
export const ListOutput = Type.Partial(Type.Object({ ...LeanLocker.properties, ...LeanIndex.properties }));

export const DeleteInput = Type.Object({
  slot,
  expected_version: Type.Optional(Type.Integer({ minimum: 0 })),
});
export const DeleteOutput = SlotDeleted;

export const IndexInput = Type.Object(page);
export const IndexOutput = LeanIndex;
