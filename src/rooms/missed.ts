/** What a caller missed whose post or close was refused because others have posted since. */

import type { Admission } from "./members/admission.ts";
import { readableSlug } from "./members/roles.ts";
import type { Caller } from "../core/caller.ts";
import { isFailure, ServiceError } from "../core/errors.ts";
import { treat_as } from "../core/text_form.ts";
import { room_limits } from "../api/limits.ts";
import type { Post } from "../api/rooms/rooms.ts";
import { room_errors } from "./errors.ts";
import type { IsOwn } from "./reads.ts";
import { leanPost } from "./lean_posts.ts";
import type { Cursor, RoomPage } from "./representations.ts";
import type { PageQuery } from "./slices.ts";
import { room_internal_limits } from "./limits.ts";

export interface Missed extends Cursor {
  /** The number of the latest post of the room. */
  latest: number;
  /** The posts of others, oldest first. */
  missed: Post[];
  /** Whether there are more after `next_since`. */
  more: boolean;
}

/** The refusal `room_moved_on` with the missed posts. Its members are those of the full form. */
export class MovedOn extends ServiceError {
  constructor(readonly unread: Missed) {
    const { latest, missed, more, next_since } = unread;
    super(
      room_errors.room_moved_on,
      `Others have posted since: nothing was done. The latest post is #${latest}.`,
      {
        members: { latest, missed, more, next_since },
      },
    );
  }

  /** The members of the lean form. */
  get lean() {
    const { latest, missed, more, next_n } = this.unread;
    return {
      latest,
      missed: missed.map((post) => leanPost(post)),
      ...(more && { more }),
      next_since: next_n,
      ...(missed.length > 0 && { treat_as }),
    };
  }
}

type ExtraOf = (error: MovedOn) => ServiceError["extra"];

/** `acting`, with the condition `if_latest`. Throws what `extraOf` returns in place of the members of a `MovedOn`. */
export const inOtherForm = <Result>(
  acting: Promise<Result>,
  if_latest: number | undefined,
  extraOf: ExtraOf,
): Promise<Result> => (if_latest === undefined ? acting : translated(acting, extraOf));

async function translated<Result>(acting: Promise<Result>, extraOf: ExtraOf): Promise<Result> {
  try {
    return await acting;
  } catch (error) {
    throw error instanceof MovedOn ? new ServiceError(error.definition, error.detail, extraOf(error)) : error;
  }
}

/** `writing`, a command with the condition `if_latest`. Throws `MovedOn` in place of `room_moved_on`. */
export type OrMissed = <Result>(
  writing: Promise<Result>,
  caller: Caller,
  room: string,
  if_latest: number | undefined,
) => Promise<Result>;

/** `readStored`: reads past the cache, which may not know yet of a post that another node has stored. */
export function missedBy(
  readStored: (query: PageQuery) => Promise<RoomPage>,
  refuseFormer: Admission["refuseFormer"],
  ownPosts: (identity: Caller["identity"]) => IsOwn | undefined,
): OrMissed {
  async function orMissed<Result>(
    writing: Promise<Result>,
    caller: Caller,
    room: string,
    if_latest: number,
  ): Promise<Result> {
    try {
      return await writing;
    } catch (error) {
      if (!isFailure(error, room_errors.room_moved_on)) throw error;
      const page = await readStored({
        room: readableSlug(room),
        since: if_latest,
        limit: room_limits.mcp_posts_page_max,
        chars_max: room_internal_limits.mcp_posts_page_chars_max,
      });
      await refuseFormer(caller, room);
      const isOwn = ownPosts(caller.identity);
      const { more, next_since, next_n } = page;
      const missed = isOwn ? page.posts.filter((post) => !isOwn(post)) : page.posts;
      throw new MovedOn({ latest: page.room.posts, missed, more, next_since, next_n });
    }
  }
  return (writing, caller, room, if_latest) =>
    if_latest === undefined ? writing : orMissed(writing, caller, room, if_latest);
}
