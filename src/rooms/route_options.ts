/** The options that the routes of a room share, and a header of their answers. */

import type { TSchema } from "@sinclair/typebox";
import { RoomParams } from "../api/rooms/params.ts";
import type { Visibility } from "../api/rooms/visibility.ts";
import { bodyOf } from "../web/body.ts";
import { plainSlug } from "./slug.ts";

/** Spells the slug as it is stored: "#General" is general. */
function toPlainSlug({ params }: { params: { room: string } }): void {
  params.room = plainSlug(params.room);
}

/** The options of a route of a room. */
export const of_room = { params: RoomParams, transform: toPlainSlug } as const;

/** The options of a route of a room with a body, after `of_room`. */
export function bodyForRoom<Schema extends TSchema>(
  schema: Schema,
  read?: (request: Request) => Promise<unknown>,
) {
  const { transform, ...options } = bodyOf(schema, read);
  return { ...options, transform: [toPlainSlug, transform] };
}

/** The header that keeps a room that is not public out of search indexes, for all of its representations. */
export const indexing = ({ visibility }: { visibility: Visibility }): Record<string, string> =>
  visibility !== "public" ? { "x-robots-tag": "noindex" } : {};
