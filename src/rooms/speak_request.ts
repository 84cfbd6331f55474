/** What the operation takes that posts in a room. */

import type { PostRef } from "./positions.ts";

/** What a caller says in a room. */
export interface SpeakRequest {
  room: string;
  name: string;
  body: string;
  in_reply_to?: PostRef | null | undefined;
  /** The number of the latest post that the caller has read. Refused with the path `/since` if the room has no such post. */
  read_to?: number | undefined;
  /** The number of the latest post if others have not posted since: else the post is refused. */
  if_latest?: number | undefined;
  /** Makes no note and ends no wait. */
  quiet?: boolean | undefined;
  /** By a host of a private room: those whom the post mentions become members. */
  add_members?: boolean | undefined;
}
