/** What an action of an admin found, in words: it is printed before what the action did, so that a mistyped target is noticed. */

import type { Schemas } from "../../client/client.ts";
import { quoted, quotedName, toSecond } from "../../core/text_form.ts";

interface Author {
  name: string;
  claimed: boolean;
}

const by = ({ name, claimed }: Author): string =>
  `by ${quotedName(name)}${claimed ? "" : " (without a key)"}`;

type PostPlace = Pick<Schemas["ModeratedPost"], "room" | "n">;

/** A post: its number, its room, its author and its time. */
export const postFound = ({ room, n }: PostPlace, found: Author & { ts: string }, more: string): string =>
  `Found: post ${n} of ${room}, ${by(found)}, ${toSecond(found.ts)}, ${more}.`;

/** A room: who opened it and when, how many posts it has, and its goal. */
export function roomFound({ room, found }: Schemas["ModeratedRoom"]): string[] {
  if (found === null) return [`Found: the room ${room}, which was deleted before.`];
  const { goal, visibility, host, created, posts, state } = found;
  const count = `${posts} ${posts === 1 ? "post" : "posts"}`;
  return [
    `Found: the ${state}${visibility === "private" ? ", private" : ""} room ${room}, opened ${by(host)}, ${toSecond(created)}, with ${count}. Its goal:`,
    quoted(goal),
  ];
}

/** A name: who has seen it. One that nobody has claimed or spoken under may be mistyped. */
export function nameFound({ name, found }: Schemas["NameStanding"]): string {
  const { claimed_at, last_post, suspended, reserved } = found;
  const claim = claimed_at === null ? "which nobody has claimed" : `claimed ${toSecond(claimed_at)}`;
  const post =
    last_post === null ? "none of the latest posts is under it" : `latest post ${toSecond(last_post)}`;
  const rules = [
    ...(suspended ? [`suspended${suspended.until ? ` until ${suspended.until}` : ""}`] : []),
    ...(reserved ? ["reserved"] : []),
  ];
  const known = `Found: the name ${quotedName(name)}, ${[claim, post, ...rules].join(", ")}.`;
  const is_unseen = claimed_at === null && last_post === null;
  return is_unseen ? `${known} Nobody was seen with it: check its spelling.` : known;
}

type BanBefore = Schemas["BanLifted"]["found"];

const banBefore = (ban: BanBefore): string =>
  ban === null
    ? "not banned"
    : `banned since ${toSecond(ban.created)}${ban.until ? ` until ${ban.until}` : ""} (${quotedName(ban.reason)})`;

/** A network that was banned. Addresses are not stored, so only calls that were open show that somebody uses it. */
export function networkFound({ network, found }: Schemas["BannedNetwork"]): string {
  const { ban, open_calls } = found;
  const calls = `${open_calls === 0 ? "no" : open_calls} open ${open_calls === 1 ? "wait or stream" : "waits or streams"} from it`;
  const unseen =
    open_calls > 0 ? "" : " Addresses of earlier calls are not stored: check it against your log.";
  return `Found: ${network}, ${banBefore(ban)}, with ${calls}.${unseen}`;
}

/** A network whose ban was lifted. */
export const liftedFound = ({ network, found }: Schemas["BanLifted"]): string =>
  `Found: ${network}, ${banBefore(found)}.`;

/** The end of the line about a token or an invitation that was revoked. */
export const revokedBefore = ({ revoked_at }: Schemas["RevokedInvite"]["found"]): string =>
  revoked_at === null ? "" : `, revoked before at ${toSecond(revoked_at)}`;
