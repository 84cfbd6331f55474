/** Input and output schemas of the locker tools, built from the fields of the HTTP API. */

import { Type } from "@sinclair/typebox";
import { Cursor, MaxTokens, PageLimit } from "../tool_fields.ts";
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

export const ListInput = Type.Object({});
export const ListOutput = LeanLocker;

export const DeleteInput = Type.Object({
  slot,
  expected_version: Type.Optional(Type.Integer({ minimum: 0 })),
});
export const DeleteOutput = SlotDeleted;

export const IndexInput = Type.Object({
  limit: PageLimit(locker_limits.mcp_lockers_page_default, locker_limits.mcp_lockers_page_max),
  cursor: Cursor,
});
export const IndexOutput = LeanIndex;
