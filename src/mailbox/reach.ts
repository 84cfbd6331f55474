/** Measures how the agents of names are reached: from the time of a note to the call of the program that gave it to the agent. */

import type { Reach, Reached } from "../api/reach.ts";
import { isoTime } from "../core/clock.ts";
import type { Identity } from "../core/caller.ts";
import type { FeatureStorage } from "../core/commands.ts";
import { invalidFields, ServiceError } from "../core/errors.ts";
import type { Tx } from "../core/storage.ts";
import { mailbox_errors } from "./errors.ts";
import type { ExcerptSources } from "./excerpts.ts";
import { numberAt, placedNote } from "./folding.ts";
import { mailbox_internal_limits } from "./limits.ts";
import * as store from "./store.ts";

interface ReachedInput extends Reached {
  identity: Identity;
  /** The time of the note, in ms. Null: the agent was reached by this note or a later one before, so nothing is recorded. */
  note_ms: number | null;
  now_ms: number;
}

const reachFromRow = ({ way, at, after_seconds }: store.ReachRow): Reach => ({ by: way, at, after_seconds });

/** How the agent of a name was reached last; undefined if it was not. */
export async function reachOf(tx: Tx, owner: string): Promise<Reach | undefined> {
  const row = await store.findReach(tx, owner);
  return row && reachFromRow(row);
}

/** Records that the agent was reached. A record for the same note or a later one stays as it is. */
export async function recordReach(
  tx: Tx,
  { identity, through, by, note_ms, now_ms }: ReachedInput,
): Promise<Reach> {
  const owner = identity.canonical;
  if (note_ms !== null) {
    const after_seconds = Math.max(Math.round((now_ms - note_ms) / 1000), 0);
    await store.putReach(tx, { owner, through, way: by, at: isoTime(now_ms), after_seconds });
  }
  return reachFromRow((await store.findReach(tx, owner))!);
}

/**
 * The time of the note that has or had this seq, in ms; null if the agent was reached by that note or a later one before. A note
 * that was folded into another has the time of its post. Throws `invalid_fields` if there was no such note, and `notes_pruned` if
 * it is no longer stored.
 */
export async function timeOfNote(
  storage: Pick<FeatureStorage, "read">,
  posts: ExcerptSources["posts"],
  owner: string,
  seq: number,
): Promise<number | null> {
  const found = await storage.read((tx) => findNote(tx, owner, seq));
  if (found === null) return null;
  const { at, post, oldest } = found;
  const time = at ?? (post && (await posts(owner, [post]))[0]?.ts);
  if (time !== undefined) return Date.parse(time);
  throw new ServiceError(
    mailbox_errors.notes_pruned,
    "The note with that seq is no longer stored, so nothing was recorded.",
    { members: { oldest } },
  );
}

interface FoundNote {
  /** If the note is stored. */
  at?: string;
  /** If it was folded into another. */
  post?: { room: string; n: number };
  /** The seq of the oldest note that is stored. */
  oldest: number;
}

async function findNote(tx: Tx, owner: string, seq: number): Promise<FoundNote | null> {
  const { last_seq } = await store.findMailbox(tx, owner);
  if (seq > last_seq) {
    const message = `is beyond the latest note, which is ${last_seq}`;
    throw invalidFields([{ path: "/through", message }]);
  }
  const reach = await store.findReach(tx, owner);
  if (reach && reach.through >= seq) return null;
  const oldest = (await store.countNotes(tx, owner, 0)).oldest ?? last_seq + 1;
  const note = await store.noteWith(tx, owner, seq);
  if (note) return { at: note.at, oldest };
  for (const row of await store.foldedAfter(tx, owner, seq, mailbox_internal_limits.notes_divided_max)) {
    const n = numberAt(placedNote(row), seq);
    if (n !== undefined) return { post: { room: row.room!, n }, oldest };
  }
  return { oldest };
}
