/** The brakes of the rooms that get new posts: few rooms need one, and the others cost no statement. */

import { sha256Hex } from "../../core/secrets.ts";
import type { Tx } from "../../core/storage.ts";
import type { GrownRoom } from "../growth_store.ts";
import { isHostIn } from "../lookup.ts";
import type { NoteRules } from "../mentions.ts";
import { findRoom } from "../store.ts";
import { Brake, type Elsewhere, type Onset, type PacedPost } from "./brake.ts";
import { paceInForce, storedPace, type InstancePace } from "./pace.ts";
import { countedPosts, type CountedPost } from "./store.ts";
import type { Pace } from "../../api/rooms/pace.ts";

/** What a brake needs of a new post. */
interface Input {
  room: string;
  name: string;
  now_ms: number;
  instance_pace?: InstancePace;
  elsewhere?: Elsewhere;
}

/** Where the number is remembered before which a room of this pace cannot slow anybody down. */
const memoryKey = (room: number, { posts, window_seconds, names }: Pace): string =>
  `pace ${room} ${posts}/${window_seconds}/${names}`;

/** Whether new posts may slow somebody down in a room, or somebody is. */
function isWatched(tx: Tx, room: GrownRoom, instance: InstancePace): boolean {
  if (room.slowed_until !== null) return true;
  // Most rooms.
  if (room.pace === null && instance === undefined) return false;
  const stored = storedPace(room.pace);
  const pace = paceInForce(stored, instance);
  const last = room.posts + room.coming;
  if (pace === null || last < (stored.after ?? 0) + pace.posts) return false;
  return last >= (tx.recall(memoryKey(room.seq, pace)) ?? 0);
}

/** The rooms that need a brake, among those that get posts; null if none does. */
export function watchedRooms(
  tx: Tx,
  roomOf: (slug: string) => GrownRoom | undefined,
  inputs: readonly Input[],
): GrownRoom[] | null {
  for (const input of inputs) {
    const room = roomOf(input.room);
    if (room) room.coming++;
  }
  let watched: Set<GrownRoom> | null = null;
  for (const input of inputs) {
    const room = roomOf(input.room);
    if (!room || room.closed_at !== null || watched?.has(room)) continue;
    if (input.elsewhere !== undefined || isWatched(tx, room, input.instance_pace))
      (watched ??= new Set()).add(room);
  }
  return watched && [...watched];
}

/** Reads what the brakes of these rooms need. */
export async function brakesFor(
  tx: Tx,
  rules: NoteRules,
  rooms: readonly GrownRoom[],
  inputs: readonly Input[],
) {
  const paces = rooms.map((room) => {
    const instance = inputs.find((input) => input.room === room.slug)!.instance_pace;
    const stored = storedPace(room.pace);
    return { room, stored, pace: paceInForce(stored, instance) };
  });
  const canonical = new Map<string, string>();
  const nameOf = (name: string): string => {
    let found = canonical.get(name);
    if (found === undefined) canonical.set(name, (found = rules.canonicalName(name)));
    return found;
  };
  const paced = ({ n, ts, name }: CountedPost): PacedPost => ({ n, ts_ms: ts, name: nameOf(name) });

  const latest = paces.flatMap(({ room, stored: { slowed = [] } }) =>
    slowed.map((n) => ({ room: room.seq, above: n - 1, upto: n })),
  );
  const held = Map.groupBy(latest.length === 0 ? [] : await countedPosts(tx, latest), ({ room }) => room);
  const brakes = new Map<string, Brake>();
  const looks: { room: number; above: number; upto: number }[] = [];
  for (const { room, stored, pace } of paces) {
    const slowed = (held.get(room.seq) ?? []).map(({ n, name }): [string, number] => [nameOf(name), n]);
    const brake = new Brake(room, pace, stored, new Map(slowed));
    brakes.set(room.slug, brake);
    const is_open = inputs.some(
      ({ room: slug, name, now_ms }) => slug === room.slug && !brake.refuses(nameOf(name), now_ms),
    );
    if (pace === null || !is_open) continue;
    const above = Math.max(stored.after ?? 0, room.posts - pace.posts);
    if (above < room.posts) looks.push({ room: room.seq, above, upto: room.posts });
  }
  const posts = Map.groupBy(looks.length === 0 ? [] : await countedPosts(tx, looks), ({ room }) => room);
  for (const { room } of paces) brakes.get(room.slug)!.take((posts.get(room.seq) ?? []).map(paced));

  return {
    /** Throws `slow_down` if the post comes too early. */
    check({ room, name, now_ms, elsewhere }: Input): void {
      brakes.get(room)?.check(nameOf(name), now_ms, elsewhere);
    },

    /** Counts a post that was added to its room. */
    count({ room, name, elsewhere }: Input, { n, ts }: { n: number; ts: string }): void {
      brakes.get(room)?.count({ n, ts_ms: Date.parse(ts), name: nameOf(name) }, elsewhere);
    },

    /** When the posts are stored: puts notes for hosts, and remembers when to look again. */
    async settle(settling: Tx): Promise<void> {
      for (const { room, pace } of paces) {
        const brake = brakes.get(room.slug)!;
        const next = brake.nextNumber();
        if (next !== undefined) settling.remember(memoryKey(room.seq, pace!), next);
        for (const onset of brake.onsets) await noteHost(settling, rules, room.slug, onset);
      }
    },
  };
}

/** Puts a note for the claimed name that is the host of a room, if there is one. */
async function noteHost(tx: Tx, rules: NoteRules, slug: string, { at, until, pace }: Onset): Promise<void> {
  const room = (await findRoom(tx, slug))!;
  if (room.host_claimed !== 1) return;
  const owner = rules.canonicalName(room.host);
  const claimed_at = (await rules.claimedSince(tx, [owner])).get(owner);
  if (claimed_at === undefined || !(await isHostIn(tx, rules, room, owner, claimed_at))) return;
  const id = sha256Hex(`room.slowed ${slug} ${at} ${owner}`).slice(0, 32);
  await rules.putNote(tx, owner, { id, kind: "room.slowed", at, content: { room: slug, until, pace } });
}
