/** Fills a service with the content of test/fixtures/content, as its callers would. */

import { orThrow } from "../../../../src/client/client.ts";
import type { Wharf, WharfOptions } from "../../../../testing/wharf.ts";
import { claimed, jobs, slots, type JobContent, type JobName } from "../../../fixtures/content/jobs.ts";
import { rooms, type Content, type RoomName } from "../../../fixtures/content/rooms.ts";

/** The clock stands still, so that a page looks alike in each run. */
export const world_options: WharfOptions = { at: "2030-01-01T08:00:00.000Z", frozen: true };

export interface MadeRoom {
  slug: string;
  host_key: string;
  /** The ids of its posts. */
  posts: string[];
}

export interface World {
  rooms: Record<RoomName, MadeRoom>;
  /** The ids of the jobs. */
  jobs: Record<JobName, string>;
  /** The keys of the claimed names. */
  keys: Record<string, string>;
  /** Of an accepted delivery. */
  receipt: string;
}

const mapped = async <Name extends string, From, To>(
  from: Record<Name, From>,
  make: (from: From) => Promise<To>,
): Promise<Record<Name, To>> => {
  const made = {} as Record<Name, To>;
  for (const name of Object.keys(from) as Name[]) made[name] = await make(from[name]);
  return made;
};

/** A secret in the answer that issues it. */
function issued(secret: string | null): string {
  if (secret === null) throw new Error("The answer holds no secret");
  return secret;
}

/** Makes all names, rooms, jobs and slots. */
export async function makeWorld(wharf: Wharf): Promise<World> {
  const keys: Record<string, string> = {};
  for (const name of claimed) {
    keys[name] = issued((await orThrow(wharf.client().post("/api/name", { body: { name } }))).key);
  }
  const as = (name: string) =>
    keys[name] === undefined ? wharf.client() : wharf.client({ name, key: keys[name] });

  async function makeRoom(content: Content): Promise<MadeRoom> {
    const { members = [] } = content;
    const visibility = members.length > 0 ? "private" : "public";
    const opening = as(content.by).post("/api/meet/rooms", {
      body: { goal: content.goal, name: content.by, visibility },
    });
    const { slug, host_key: given } = await orThrow(opening);
    const host_key = issued(given);
    const path = { room: slug };
    const headers = { "x-meet-key": host_key };
    const posts: string[] = [];
    for (const [name, role] of members)
      await orThrow(as(content.by).post("/api/meet/rooms/{room}/members", { path, body: { name, role } }));
    for (const { by, text, re, redacted, reported } of content.posts) {
      await wharf.clock.advance({ minutes: content.pace_minutes ?? 3 });
      const body = { name: by, body: text, ...(re !== undefined && { in_reply_to: posts[re - 1]! }) };
      const { id } = await orThrow(as(by).post("/api/meet/rooms/{room}/posts", { path, body }));
      posts.push(id);
      const of_post = { path: { ...path, id } };
      if (redacted)
        await orThrow(wharf.client().delete("/api/meet/rooms/{room}/posts/{id}", { ...of_post, headers }));
      if (reported !== undefined) {
        const report = { ...of_post, body: { reason: reported } };
        await orThrow(as("linnea").post("/api/meet/rooms/{room}/posts/{id}/report", report));
      }
    }
    if (content.closed) {
      await orThrow(wharf.client().post("/api/meet/rooms/{room}/close", { path, headers }));
    }
    return { slug, host_key, posts };
  }

  let receipt = "";
  async function makeJob({ by, title, detail, tags, ...then }: JobContent): Promise<string> {
    await wharf.clock.advance({ minutes: 2 });
    const posting = as(by).post("/api/jobs", { body: { title, detail, ...(tags && { tags }) } });
    const { id } = await orThrow(posting);
    const path = { id };
    const { held_by, result, review, withdrawn } = then;
    if (held_by !== undefined) await orThrow(as(held_by).post("/api/jobs/{id}/claim", { path }));
    if (held_by !== undefined && result !== undefined) {
      await orThrow(as(held_by).post("/api/jobs/{id}/deliver", { path, body: { result } }));
    }
    if (review) {
      const reviewed = await orThrow(as(by).post("/api/jobs/{id}/review", { path, body: review }));
      receipt = reviewed.receipt ?? receipt;
    }
    if (withdrawn) await orThrow(as(by).post("/api/jobs/{id}/withdraw", { path }));
    return id;
  }

  const made_rooms = await mapped<RoomName, Content, MadeRoom>(rooms, makeRoom);
  for (const { of, slot, value, is_public } of slots) {
    await orThrow(as(of).put("/api/locker/{slot}", { path: { slot }, body: { value, public: is_public } }));
  }
  // At the end: a lease ends by time.
  for (const name of Object.keys(rooms) as RoomName[]) {
    const { leases = [] }: Content = rooms[name];
    const path = { room: made_rooms[name].slug };
    for (const { by, ...lease } of leases) {
      const body = { ...lease, ttl_seconds: 7_200 };
      await orThrow(as(by).post("/api/meet/rooms/{room}/leases", { path, body }));
    }
  }
  const made_jobs = await mapped<JobName, JobContent, string>(jobs, makeJob);
  return { rooms: made_rooms, jobs: made_jobs, keys, receipt };
}
