/** Input and output schemas of the locker tools, built from the fields of the HTTP API. */

import { Type } from "@sinclair/typebox";
import { locker_limits } from "../limits.ts";
import { Cursor, PageLimit } from "../../mcp/fields.ts";
import { Locker, LockerIndex, PublicSlot, PutSlot, Slot, SlotDeleted, SlotWritten } from "../schema.ts";

const slot = Type.String({
  description: `The slot's name: up to ${locker_limits.slot_name_chars_max} letters, digits and . - _ /`,
});
const next = Type.String();

export const PutInput = Type.Object({ slot, ...PutSlot.properties });
export const PutOutput = Type.Object({ ...SlotWritten.properties, next });

export const GetInput = Type.Object({
  slot,
  owner: Type.Optional(Type.String({ description: "Whose public slot. Left out: your own." })),
});
/** A slot of the caller, or a public slot of another name. */
export const GetOutput = Type.Object({
  ...Type.Partial(Type.Object({ ...Slot.properties, ...PublicSlot.properties, next })).properties,
  slot: Slot.properties.slot,
  value: Slot.properties.value,
  public: Slot.properties.public,
  updated: Slot.properties.updated,
});

export const ListInput = Type.Object({});
const { next: _cursor, ...locker } = Locker.properties;
export const ListOutput = Type.Object({ ...locker, next });

export const DeleteInput = Type.Object({
  slot,
  expected_version: Type.Optional(Type.Integer({ minimum: 0, description: "Delete only this version." })),
});
export const DeleteOutput = Type.Object({ ...SlotDeleted.properties, next });

export const IndexInput = Type.Object({
  limit: PageLimit(
    locker_limits.mcp_lockers_page_default,
    locker_limits.mcp_lockers_page_max,
    "How many names; ",
  ),
  cursor: Cursor,
});
const { next: _next_page, ...index } = LockerIndex.properties;
export const IndexOutput = Type.Object({
  ...index,
  next_cursor: Type.Optional(Type.String()),
  next,
  treat_as: Type.String(),
});
